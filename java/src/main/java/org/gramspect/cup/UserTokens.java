package org.gramspect.cup;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.gramspect.buffers.Numbers;
import org.gramspect.isolation.Exit;
import org.gramspect.isolation.Outcome;
import org.gramspect.jflex.Watch;

/**
 * The tokens of one text, from a user's scanner by way of the user's parser, as CUP's own loop would get
 * them; that parser's stack and actions follow what the tables say.
 */
final class UserTokens implements Engine.Tokens {
    private static final int SHOWN = 40;

    /** Errors that broken code throws, but no scanner throws to reject an input. */
    private static final List<Class<? extends Throwable>> FAULTS = List.of(
            NullPointerException.class, ClassCastException.class, IllegalStateException.class,
            UnsupportedOperationException.class, IOException.class);

    /** The scanner could not go on. */
    static final class ScanProblem extends Exception {
        private static final long serialVersionUID = 1L;

        ScanProblem(Throwable cause) {
            super(described(cause), cause);
        }

        private static String described(Throwable cause) {
            return cause instanceof Exit ? "the scanner called " + cause.getMessage()
                    : Outcome.described(cause);
        }
    }

    private final CupRuntime runtime;
    private final Tables tables;
    private final int[] terminals;
    private final boolean runActions;
    private final List<Object> read = new ArrayList<>();
    private final Watch watch;
    private final List<Watch.Place> places = new ArrayList<>();
    private Object parser;
    private Object scanner;
    private Object leftHandSide;
    private ScanProblem problem;
    private int acting = -1;

    /** @param watch what knows where the tokens stand; null if only they do */
    UserTokens(CupRuntime runtime, Tables tables, int[] terminals, boolean runActions, Watch watch) {
        this.watch = watch;
        this.runtime = runtime;
        this.tables = tables;
        this.terminals = terminals;
        this.runActions = runActions;
    }

    /** Takes the parser and scanner of one text. */
    void begin(UserParser.Instance instance) throws Exception {
        parser = instance.parser();
        scanner = instance.scanner();
        if (parser != null) {
            runtime.begin(parser);
        }
    }

    /** The production whose action is running, or -1. */
    int acting() {
        return acting;
    }

    /** Why the scanner could not go on; null if it could. */
    ScanProblem problem() {
        return problem;
    }

    /**
     * Whether the scanner failed before it had read anything, by a fault of its code: it fails on every
     * input, which says nothing about any.
     */
    boolean isFaultInSettingUp() {
        return problem != null && read.isEmpty() && FAULTS.stream().anyMatch(
                type -> type.isInstance(problem.getCause()));
    }

    @Override
    public int next() throws Exception {
        try {
            Object token = scan();
            if (token == null) {
                return tables.endOfFile;
            }
            if (runtime.isUsed(token)) { // what CUP's own loop says and does
                throw new IllegalStateException("Symbol recycling detected (fix your scanner).");
            }
            read.add(token);
            return terminal(token);
        } catch (VirtualMachineError | LinkageError thrown) {
            throw thrown;
        } catch (Throwable thrown) {
            problem = new ScanProblem(thrown);
            throw problem;
        }
    }

    private Object scan() throws Exception {
        if (watch == null) {
            return parser != null ? runtime.scan(parser) : runtime.nextToken(scanner);
        }
        watch.start(scanner);
        Object token = parser != null ? runtime.scan(parser) : runtime.nextToken(scanner);
        if (token != null) {
            places.add(watch.token(scanner));
        }
        return token;
    }

    private int terminal(Object token) {
        int number = runtime.number(token);
        if (terminals == null) {
            return number;
        }
        return number < 0 || number >= terminals.length ? -1 : terminals[number];
    }

    @Override
    public void shifted(int state) {
        Object token = read.get(read.size() - 1);
        if (runActions) {
            runtime.push(parser, token, state);
        } else {
            runtime.use(token);
        }
    }

    @Override
    public boolean reducing(int production) throws Exception {
        if (!runActions) {
            return true;
        }
        acting = production;
        leftHandSide = runtime.act(parser, production);
        acting = -1;
        return !runtime.isDone(parser);
    }

    @Override
    public void reduced(int production, int state) {
        if (runActions) {
            runtime.pop(parser, tables.lengths[production]);
            runtime.push(parser, leftHandSide, state);
        }
    }

    /** The symbol that the last action has made, which CUP's loop returns; null if no actions run. */
    Object result() {
        return leftHandSide;
    }

    /** Terminal and position of each token that was read, see {@link Results}. */
    Numbers tokens() throws ReflectiveOperationException {
        Numbers numbers = new Numbers();
        for (int i = 0; i < read.size(); i++) {
            numbers.add(terminal(read.get(i)));
            if (watch == null) {
                numbers.addAll(runtime.position(read.get(i)));
            } else {
                numbers.addAll(Results.OFFSETS, places.get(i).start(), places.get(i).end());
            }
        }
        if (watch != null && problem != null) {
            int place = watch.place(scanner);
            numbers.addAll(-1, Results.OFFSETS, place, place);
        }
        return numbers;
    }

    /** Where the last token stands, by the watch. */
    Watch.Place lastPlace() {
        return places.get(places.size() - 1);
    }

    /** The value of the last token that was read, if it is plain; else nothing. */
    String lastValue() {
        Object value = read.isEmpty() ? null : runtime.value(read.get(read.size() - 1));
        boolean plain = value instanceof String || value instanceof Character
                || value instanceof Number && value.getClass().getName().startsWith("java.lang.");
        String text = plain ? value.toString() : "";
        return text.length() <= SHOWN ? text : text.substring(0, SHOWN - 3) + "...";
    }
}
