package org.gramspect.antlr;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntFunction;
import org.antlr.v4.runtime.CommonToken;
import org.antlr.v4.runtime.CommonTokenStream;
import org.antlr.v4.runtime.ListTokenSource;
import org.antlr.v4.runtime.RecognitionException;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.TokenStream;
import org.gramspect.buffers.Numbers;
import org.gramspect.isolation.Cancellation;

/** Runs texts through the lexer and the parser of a grammar, many in one call. */
public final class Runner {
    static final int ACCEPTED = 0;
    static final int SYNTAX_ERROR = 1;
    static final int LEXICAL_ERROR = 2;
    static final int UNDECIDED = 3;

    /** Deep recursion of the input is deep recursion of ANTLR's prediction. */
    private static final long STACK_BYTES = Long.getLong("gramspect.stack", 1L << 30);

    /**
     * What happened, in one array: for every text its outcome, then
     *
     * <ul>
     *   <li>accepted: the number of pairs of elements, and one number for each ({@link PairTable})
     *   <li>an error: the index of the offending token, its line and column; the number of tokens and
     *       three numbers for each: type, line, column; the number of active rules and the rules
     *   <li>undecided: nothing
     * </ul>
     *
     * <p>and for every text but the accepted ones a message. {@code pairs} are those from
     * the number on that the caller asked for, two elements each.
     */
    public record Results(int[] numbers, String[] messages, int[] pairs) {}

    private final LoadedGrammar loaded;
    private final int startRule;
    private final boolean allowTrailing;
    private final TextLexer.Letters letters;
    private final Numbers pairs = new Numbers();
    private TextLexer lexer;
    private Recorder recorder;

    Runner(LoadedGrammar loaded, int startRule, TextLexer.Letters letters, boolean allowTrailing) {
        this.loaded = loaded;
        this.startRule = startRule;
        this.letters = letters;
        this.allowTrailing = allowTrailing;
    }

    /**
     * Runs the texts in order. The caller has the first {@code known} pairs already and gets the others.
     */
    public Results run(String[] texts, int known) throws InterruptedException {
        return runAll(texts.length, known, i -> read(texts[i]));
    }

    /** The types of a text's tokens, that of the end of the input last; null if the lexer fails. */
    public int[] types(String text) {
        try {
            TextLexer.Tokens read = read(text);
            return read.error() >= 0 ? null : read.tokens().stream().mapToInt(Token::getType).toArray();
        } catch (RuntimeException | StackOverflowError | OutOfMemoryError error) {
            lexer = null;
            return null;
        }
    }

    /**
     * The types of the tokens of texts: for each text the number of its tokens (-1: the lexer fails)
     * and their types, that of the end of the input left out.
     */
    public int[] typesOfAll(String[] texts) {
        Numbers out = new Numbers();
        for (String text : texts) {
            int[] types = types(text);
            if (types == null) {
                out.add(-1);
            } else {
                out.add(types.length - 1);
                out.addAll(Arrays.copyOf(types, types.length - 1));
            }
        }
        return out.toArray();
    }

    /** Why the lexer fails on a text; null if it does not, or if nothing is known. */
    public TextLexer.Death death(String text) {
        read("");
        return lexer.death(text, new LexerSuspects(loaded));
    }

    /** The code of lexer rules that a text depends on and that is not run. */
    public TextLexer.Skipped[] skippedCode(String text) {
        try {
            read("");
            return lexer.skippedCode(text).toArray(TextLexer.Skipped[]::new);
        } catch (RuntimeException | StackOverflowError | OutOfMemoryError error) {
            lexer = null;
            return new TextLexer.Skipped[0];
        }
    }

    private TextLexer.Tokens read(String text) {
        if (lexer == null) {
            lexer = new TextLexer(loaded.lexer, loaded.lexerActions(), letters);
        }
        return lexer.tokens(text);
    }

    /** Runs sequences of token types: {@code types[starts[i]]} to {@code types[starts[i + 1] - 1]}. */
    public Results runTypes(int[] types, int[] starts, int known) throws InterruptedException {
        return runAll(starts.length - 1, known, i -> {
            List<Token> tokens = new ArrayList<>();
            for (int place = starts[i]; place < starts[i + 1]; place++) {
                tokens.add(new CommonToken(types[place], ""));
            }
            tokens.add(new CommonToken(Token.EOF, ""));
            return new TextLexer.Tokens(tokens, -1, 0, 0, null);
        });
    }

    /** Runs inputs on a thread with a large stack; what ends that thread is thrown here. */
    private Results runAll(int inputs, int known, IntFunction<TextLexer.Tokens> read)
            throws InterruptedException {
        Numbers out = new Numbers();
        List<String> messages = new ArrayList<>();
        AtomicReference<Throwable> death = new AtomicReference<>();
        Thread thread = new Thread(null, () -> {
            for (int i = 0; i < inputs; i++) {
                one(i, read, out, messages);
            }
        }, "gramspect", STACK_BYTES);
        thread.setDaemon(true);
        thread.setUncaughtExceptionHandler((dead, thrown) -> death.set(thrown));
        thread.start();
        thread.join();
        if (death.get() instanceof Error error) { // out of memory even for saying so
            recorder = null;
            lexer = null;
            throw error;
        }
        return new Results(out.toArray(), messages.toArray(String[]::new),
                pairs.toArray(2 * known));
    }

    private void one(
            int input, IntFunction<TextLexer.Tokens> read, Numbers out, List<String> messages) {
        int start = out.size();
        int known = messages.size();
        String problem;
        try {
            Cancellation.check();
            parse(read.apply(input), out, messages);
            return;
        } catch (StackOverflowError error) {
            problem = "the input is nested too deeply for the stack of ANTLR's parser";
        } catch (OutOfMemoryError error) {
            problem = "the parse needs more memory than the JVM has";
        } catch (CancellationException stopped) {
            problem = stopped.getMessage();
        } catch (RuntimeException error) {
            problem = "ANTLR raised " + error;
        }
        // What an error leaves behind in the caches of the prediction is not trusted.
        recorder = null;
        lexer = null;
        pairs.truncate(pairs.size() & ~1); // the last pair may have been torn
        out.truncate(start);
        out.add(UNDECIDED);
        messages.subList(known, messages.size()).clear();
        messages.add(problem);
    }

    private void parse(TextLexer.Tokens read, Numbers out, List<String> messages) {
        if (recorder == null) {
            recorder = new Recorder(loaded.name(), loaded.grammar.getVocabulary(),
                    loaded.ruleNames(), loaded.automaton(), stream(List.of()), loaded.states,
                    loaded.nElements, new CallPairs(new PairTable(pairs)), loaded.parserHasEmptyRounds());
        }
        TokenStream stream = stream(read.tokens());
        RecognitionException error = recorder.run(stream, startRule);
        Token offending = error != null ? error.getOffendingToken() : stream.LT(1);
        int place = offending.getTokenIndex();
        if (read.error() >= 0 && (error == null || place >= read.error())) {
            out.addAll(LEXICAL_ERROR, read.error(), read.line(), read.column());
            addTokens(read.tokens(), out);
            addRules(error, out);
            messages.add(read.message());
        } else if (error != null || !allowTrailing && offending.getType() != Token.EOF) {
            int column = offending.getCharPositionInLine() + 1;
            out.addAll(SYNTAX_ERROR, place, offending.getLine(), column);
            addTokens(read.tokens(), out);
            addRules(error, out);
            messages.add(error != null
                    ? recorder.message(error)
                    : "the start rule ends before '" + offending.getText() + "'");
        } else {
            out.add(ACCEPTED);
            recorder.calls().writeTo(out);
        }
    }

    private static TokenStream stream(List<Token> tokens) {
        return new CommonTokenStream(new ListTokenSource(tokens));
    }

    private static void addTokens(List<Token> tokens, Numbers out) {
        out.add(tokens.size());
        for (Token token : tokens) {
            out.addAll(token.getType(), token.getLine(), token.getCharPositionInLine() + 1);
        }
    }

    private void addRules(RecognitionException error, Numbers out) {
        int[] rules = error == null ? new int[] {startRule} : recorder.activeRules();
        out.add(rules.length);
        out.addAll(rules);
    }
}
