package org.gramspect.agent.antlr;

import static org.gramspect.antlr.Reflection.call;

import java.util.List;
import org.gramspect.agent.Json;
import org.gramspect.agent.antlr.Input.Token;
import org.gramspect.buffers.Numbers;

/**
 * How a parse ended: an error that was reported, by the parser or by the lexer before it, rejects.
 *
 * <p>The numbers are those of {@code org.gramspect.antlr.Runner}.
 */
record Verdict(int outcome, Numbers rest, String message) {
    private static final int ACCEPTED = 0;
    private static final int SYNTAX_ERROR = 1;
    private static final int LEXICAL_ERROR = 2;
    private static final int UNDECIDED = 3;

    static Verdict of(ParseRecord record, Input input, Throwable thrown)
            throws ReflectiveOperationException {
        Object offending = record.errorToken;
        String message = record.errorMessage;
        if (offending == null && thrown != null) {
            offending = offending(thrown, input);
            message = "unexpected " + (offending == null ? "" : "'" + call(offending, "getText") + "'");
            if (offending == null) {
                return undecided("the parser was stopped by " + thrown);
            }
        }
        LexicalErrors.Place lexical = input.lexicalError();
        if (offending == null && lexical == null) {
            Numbers rest = new Numbers();
            record.writeTo(rest);
            return new Verdict(ACCEPTED, rest, null);
        }
        List<Token> tokens = input.tokens(record.startIndex);
        if (tokens == null) {
            return undecided("the tokens of a rejected input were not kept");
        }
        Token stopped = offending == null ? null : Token.of(offending);
        int end = stopped == null ? input.index() : stopped.index();
        int place = (int) tokens.stream().filter(token -> token.index() < end).count();
        if (lexical != null) {
            int before = (int) tokens.stream()
                    .filter(token -> token.character() < lexical.character()).count();
            if (before <= place) {
                return rejected(LEXICAL_ERROR, before, lexical.line(), lexical.column(), tokens,
                        record, "token recognition error");
            }
        }
        if (stopped == null) {
            Numbers rest = new Numbers();
            record.writeTo(rest);
            return new Verdict(ACCEPTED, rest, null);
        }
        return rejected(SYNTAX_ERROR, place, stopped.line(), stopped.column(), tokens, record,
                message);
    }

    private static Verdict undecided(String message) {
        return new Verdict(UNDECIDED, new Numbers(), message);
    }

    private static Verdict rejected(int outcome, int place, int line, int column,
            List<Token> tokens, ParseRecord record, String message) {
        Numbers rest = new Numbers();
        rest.addAll(place, line, column, tokens.size());
        for (Token token : tokens) {
            rest.addAll(token.type(), token.line(), token.column());
        }
        rest.addAll(1, record.startRule);
        return new Verdict(outcome, rest, message);
    }

    /** The token at which an exception has ended the parse; null if that was no syntax error. */
    private static Object offending(Throwable thrown, Input input)
            throws ReflectiveOperationException {
        boolean stopped = false;
        Throwable problem = thrown;
        for (int i = 0; problem != null && i < 10; i++, problem = problem.getCause()) {
            for (Class<?> type = problem.getClass(); type != null; type = type.getSuperclass()) {
                if (type.getName().endsWith(".v4.runtime.RecognitionException")) {
                    return call(problem, "getOffendingToken");
                }
                stopped |= type.getName().endsWith(".misc.ParseCancellationException");
            }
        }
        return stopped ? input.next() : null;
    }

    boolean isAccepted() {
        return outcome == ACCEPTED;
    }

    String json(ParseRecord record) {
        Numbers all = new Numbers();
        all.add(outcome);
        all.addAll(rest.toArray());
        return "{\"record\":" + record.number + ",\"start\":" + record.startRule + ",\"numbers\":"
                + Json.numbers(all.toArray()) + (message == null ? "" : ",\"message\":"
                + Json.text(message)) + "}";
    }
}
