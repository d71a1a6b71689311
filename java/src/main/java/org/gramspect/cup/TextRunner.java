package org.gramspect.cup;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import org.gramspect.buffers.Numbers;
import org.gramspect.isolation.Guard;
import org.gramspect.isolation.Outcome;
import org.gramspect.jflex.Watch;

/**
 * Runs texts through a user's scanner and the tables of a parser, many in one call.
 *
 * <p>Scanner and parser are made anew for every text, static fields are put back. Classes that were
 * stopped where nothing expects it are loaded anew.
 */
public final class TextRunner {
    private static final String NO_LOOP =
            "the parser's own parse() ends without calling that of CUP";

    private final ParserSpec spec;
    private final Tables tables;
    private final int[] terminals;
    private final boolean runActions;
    private final boolean alwaysFresh;
    private final Engine engine;
    private final Recorder recorder;
    private UserParser user;

    /**
     * @param user the classes that the specification names, loaded
     * @param terminals the terminal of the tables for each number that the scanner gives, -1 for none;
     *     null if the numbers are the same
     * @param runActions whether the actions of the parser, if there is one, run
     * @param alwaysFresh whether classes are loaded anew for every text
     */
    public TextRunner(ParserSpec spec, UserParser user, Tables tables, int[] terminals,
            boolean runActions, boolean alwaysFresh) {
        this.spec = spec;
        this.user = user;
        this.tables = tables;
        this.terminals = terminals;
        this.runActions = runActions && user.hasParser();
        this.alwaysFresh = alwaysFresh;
        this.engine = new Engine(tables);
        this.recorder = new Recorder(tables);
    }

    /** Runs the texts in order. */
    public Results run(String[] texts) throws Exception {
        Results.Builder results = new Results.Builder();
        Guard.quietly(user.loader, () -> {
            for (String text : texts) {
                judge(text, results);
            }
            return null;
        });
        return results.done();
    }

    /** The terminals of a text as the scanner makes them, without the end; null if it fails. */
    public int[] terminals(String text) throws Exception {
        return Guard.quietly(user.loader, () -> {
            UserTokens tokens = tokens(false);
            Outcome<int[]> outcome = Guard.call(() -> {
                Numbers numbers = new Numbers();
                parse(instance(text), tokens, () -> {
                    for (int next = tokens.next(); next != tables.endOfFile; next = tokens.next()) {
                        numbers.add(next);
                    }
                    return Engine.End.ERROR; // the parser's own code learns nothing
                });
                return numbers.toArray();
            });
            reload(outcome.tainted());
            return outcome.value();
        });
    }

    /**
     * What was read of stretches.
     *
     * @param numbers a row for each token: the number of its stretch, its terminal, the offsets of its
     *     first character and of its end. Where the scanner fails, a last row has the terminal {@link
     *     #FAILED} and the offset of the token that it could not read
     */
    public record Lexed(int[] numbers) {}

    /** The terminal in the last row if the scanner could not read on. */
    static final int FAILED = -2;

    /**
     * The tokens of stretches of a text, each as if the text ended after it; one scanner reads them all, in
     * the lexical state that it was in at the end of the stretch before. Null if it does not tell where its
     * tokens stand, or fails otherwise than on a text.
     */
    public Lexed lexed(String[] stretches) throws Exception {
        if (user.watch() == null || user.hasParser()) {
            return null;
        }
        return Guard.quietly(user.loader, () -> {
            Outcome<Lexed> outcome = Guard.call(() -> {
                UserParser.Instance instance = instance(stretches[0]);
                Numbers numbers = new Numbers();
                for (int i = 0; i < stretches.length; i++) {
                    if (i > 0) {
                        user.watch().renew(instance.scanner(), stretches[i]);
                    }
                    if (!read(instance, i, stretches[i].length(), numbers)) {
                        break;
                    }
                }
                return new Lexed(numbers.toArray());
            });
            reload(outcome.tainted());
            return outcome.value();
        });
    }

    /** Whether all of a stretch is read. */
    private boolean read(UserParser.Instance instance, int stretch, int length, Numbers numbers)
            throws Exception {
        UserTokens tokens = tokens(false);
        tokens.begin(instance);
        try {
            for (int left = 2 * length + 2; left > 0; left--) { // a token may be empty, but not all are
                int terminal = tokens.next();
                if (terminal == tables.endOfFile) {
                    return true;
                }
                Watch.Place place = tokens.lastPlace();
                numbers.addAll(stretch, terminal, place.start(), place.end());
            }
        } catch (UserTokens.ScanProblem failed) {
            // the row below says so
        }
        int place = user.watch().token(instance.scanner()).start();
        numbers.addAll(stretch, FAILED, place, place);
        return false;
    }

    private UserTokens tokens(boolean withActions) {
        return new UserTokens(user.runtime, tables, terminals, withActions, user.watch());
    }

    private UserParser.Instance instance(String text) throws Exception {
        user.loader.restoreStatics();
        System.setIn(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
        return user.make(text);
    }

    /** Runs a loop on the tokens of an instance; inside the parser's own {@code parse()}, if there is one. */
    private Engine.End parse(UserParser.Instance instance, UserTokens tokens,
            Callable<Engine.End> loop) throws Exception {
        Callable<Engine.End> begun = () -> {
            tokens.begin(instance);
            return loop.call();
        };
        return user.parsesItself() ? OwnParse.run(instance.parser(), begun, tokens::result) : begun.call();
    }

    private void judge(String text, Results.Builder results) throws Exception {
        UserTokens tokens = tokens(runActions);
        boolean[] ready = {false};
        Outcome<Engine.End> outcome = Guard.call(() -> {
            UserParser.Instance instance = instance(text);
            return parse(instance, tokens, () -> {
                ready[0] = true;
                return engine.parse(tokens, recorder);
            });
        });
        if (tokens.isFaultInSettingUp()) {
            results.undecided(-1, "the scanner fails before its first token: it raised "
                    + tokens.problem().getMessage());
        } else if (tokens.problem() != null) {
            results.rejected(Results.LEXICAL_ERROR, recorder, tokens.tokens(),
                    tokens.problem().getMessage());
        } else if (!outcome.returned()) {
            String who = tokens.acting() >= 0 ? ""
                    : ready[0] ? "the parser " : "the code that makes the parser ";
            results.undecided(tokens.acting(), who + outcome.reason());
        } else if (outcome.value() == null) {
            results.undecided(-1, NO_LOOP);
        } else {
            switch (outcome.value()) {
                case ACCEPTED -> results.accepted(recorder);
                case ERROR -> results.rejected(Results.SYNTAX_ERROR, recorder, tokens.tokens(),
                        tokens.lastValue());
                case ENDLESS -> results.undecided(-1, Results.ENDLESS);
            }
        }
        reload(outcome.tainted());
    }

    private void reload(boolean needed) throws LoadProblem {
        if (needed || alwaysFresh) {
            user = new UserParser(spec);
            Thread.currentThread().setContextClassLoader(user.loader);
        }
    }
}
