package org.gramspect.javacc;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.gramspect.buffers.Numbers;

/** The outcome of one test or parse, told from the exception of the parser and what was recorded. */
public final class Verdict {
    private static final Pattern PLACE = Pattern.compile("line (\\d+), column (\\d+)");

    private final TokenAccess access;
    private final Parse parse;
    private Numbers out;
    private List<String> messages;
    private boolean mayRead = true;

    /** @param parse the parse that tells the outcome, or null */
    public Verdict(TokenAccess access, Parse parse) {
        this.access = access;
        this.parse = parse;
    }

    /** Where verdicts go, in the form of {@link Runner.Results}. */
    public void writeTo(Numbers numbers, List<String> texts) {
        out = numbers;
        messages = texts;
    }

    /**
     * The verdict on a parser that gramspect has made and whose start production it has called.
     *
     * <p>A syntax error that the parser has recovered from is an error nevertheless; the first counts.
     */
    void ofParser(Throwable thrown, String errorClass, boolean allowTrailing) throws Exception {
        if (thrown != null && !isError(thrown, errorClass)) {
            throw Reflection.unchanged(thrown);
        } else if (parse != null && parse.error() != null) {
            syntaxError(parse.errorToken(), message(parse.error()));
        } else if (thrown != null) {
            ofThrown(thrown, true);
        } else if (allowTrailing || atEnd(parse.last(access))) {
            accepted();
        } else {
            ofTrailing(parse.last(access));
        }
    }

    /**
     * The verdict on code of the user's that has run a parser.
     *
     * @param strict whether a syntax error rejects that the code has got over
     */
    void ofCall(
            Throwable thrown, String errorClass, int start, ParserOutline outline, boolean strict)
            throws Exception {
        if (parse != null && parse.root() != start) {
            String root = outline.productions.get(parse.root()).name();
            undecided("the call starts the parser with " + root + "; use --start " + root);
        } else if (thrown != null) {
            boolean checked = thrown instanceof Exception && !(thrown instanceof RuntimeException);
            ofThrown(thrown, parse != null && (checked || parse.recording.hasErred()
                    || find(thrown, is(errorClass)) != null));
        } else if (parse == null) {
            undecided("the call does not run the parser");
        } else if (strict && parse.error() != null) {
            syntaxError(parse.errorToken(), message(parse.error()));
        } else {
            accepted();
        }
    }

    /**
     * The verdict on a parse of a program that goes on: its lexer is left alone, so the tokens are those
     * that the parser has asked for. What is left of the input is the program's business.
     */
    public void ofParse(Throwable thrown, String errorClass) throws Exception {
        mayRead = false;
        if (parse.error() != null) {
            syntaxError(parse.errorToken(), message(parse.error()));
        } else if (thrown == null) {
            accepted();
        } else if (isError(thrown, errorClass)) {
            ofThrown(thrown, true);
        } else {
            undecided("the parser was stopped by " + thrown);
        }
    }

    private void ofThrown(Throwable thrown, boolean rejected) throws Exception {
        Throwable lexical = find(thrown, Verdict::isLexical);
        if (lexical != null) {
            lexicalError(message(lexical));
        } else if (rejected) {
            Throwable error = parse.error();
            boolean recorded = error != null && find(thrown, cause -> cause == error) != null;
            syntaxError(recorded ? parse.errorToken() : parse.last(access),
                    message(recorded ? error : thrown));
        } else {
            throw Reflection.unchanged(thrown);
        }
    }

    private void ofTrailing(Object last) {
        Object next = access.next(last);
        try {
            next = next == null ? access.fetch(parse.parser()) : next;
        } catch (Throwable problem) {
            lexicalError(message(problem));
            return;
        }
        if (access.kind(next) == 0) {
            accepted();
        } else {
            access.link(last, next);
            syntaxError(last, "the start production ends before '" + access.image(next) + "'");
        }
    }

    /** Whether the end of the input has been consumed; the dummy before the first token is of kind 0. */
    private boolean atEnd(Object last) {
        return last != parse.head() && access.kind(last) == 0;
    }

    private void accepted() {
        out.add(Runner.ACCEPTED);
        parse.recording.writeTo(out);
    }

    /** The kinds of the tokens that the parse has consumed, but those that Java code has. */
    public int[] consumed() {
        Object last = access.token(parse.parser());
        Numbers kinds = new Numbers();
        for (Object token = parse.head(); token != last && token != null; ) {
            token = access.next(token);
            if (token != null && !parse.recording.hasSkipped(token)) {
                kinds.add(access.kind(token));
            }
        }
        return kinds.toArray();
    }

    private void undecided(String reason) {
        out.add(Runner.UNDECIDED);
        messages.add(reason);
    }

    /** @param last the last token consumed before the error */
    private void syntaxError(Object last, String message) {
        List<Object> tokens = parse.asked(access);
        int offending = last == parse.head() ? 0 : tokens.indexOf(last) + 1;
        fetchRest(tokens);
        int known = Math.min(offending, tokens.size() - 1);
        String text = offending < tokens.size() ? unexpected(tokens.get(offending), message) : message;
        int line = known < 0 ? 0 : access.line(tokens.get(known));
        int column = known < 0 ? 0 : access.column(tokens.get(known));
        write(Runner.SYNTAX_ERROR, tokens, offending, line, column, text);
    }

    private void lexicalError(String message) {
        List<Object> tokens = parse == null ? List.of() : parse.asked(access);
        Matcher place = PLACE.matcher(message);
        boolean known = place.find();
        write(Runner.LEXICAL_ERROR, tokens, tokens.size(),
                known ? Integer.parseInt(place.group(1)) : 0,
                known ? Integer.parseInt(place.group(2)) : 0, message);
    }

    private void write(int outcome, List<Object> tokens, int offending, int line, int column,
            String message) {
        out.addAll(outcome, offending, line, column, tokens.size());
        for (Object token : tokens) {
            int kind = access.kind(token);
            out.addAll(parse.recording.hasSkipped(token) ? -1 - kind : kind, access.line(token),
                    access.column(token));
        }
        messages.add(message);
    }

    /**
     * The kinds of all tokens but those that Java code has consumed; null if the lexer fails, or nothing
     * was parsed.
     */
    int[] kinds(Throwable thrown) {
        if (parse == null || find(thrown, Verdict::isLexical) != null) {
            return null;
        }
        List<Object> tokens = parse.asked(access);
        boolean complete = fetchRest(tokens);
        if (!complete) {
            return null;
        }
        return tokens.stream().filter(token -> !parse.recording.hasSkipped(token))
                .mapToInt(access::kind).toArray();
    }

    /** Adds the tokens after those up to the end of the input; false if they cannot be had. */
    private boolean fetchRest(List<Object> tokens) {
        return mayRead && parse.fetchRest(access, tokens);
    }

    /** JavaCC's own message with the token as it is written, in place of its quotes in quotes. */
    private String unexpected(Object token, String message) {
        int expecting = message.indexOf("Was expecting");
        if (!message.startsWith("Encountered") || expecting < 0) {
            return message;
        }
        String found = access.kind(token) == 0 ? "end of input" : "'" + access.image(token) + "'";
        return "unexpected " + found + " " + message.substring(expecting);
    }

    private static boolean isError(Throwable thrown, String errorClass) {
        return find(thrown, Verdict::isLexical) != null || find(thrown, is(errorClass)) != null;
    }

    static boolean isLexical(Throwable problem) {
        String name = problem.getClass().getSimpleName();
        return name.equals("TokenMgrError") || name.equals("TokenMgrException");
    }

    private static Predicate<Throwable> is(String internalName) {
        String name = internalName.replace('/', '.');
        return problem -> {
            for (Class<?> type = problem.getClass(); type != null; type = type.getSuperclass()) {
                if (type.getName().equals(name)) {
                    return true;
                }
            }
            return false;
        };
    }

    /** The first of a Throwable and its causes with some property, or null. */
    static Throwable find(Throwable thrown, Predicate<Throwable> wanted) {
        Throwable problem = thrown;
        for (int depth = 0; problem != null && depth < 100; depth++) {
            if (wanted.test(problem)) {
                return problem;
            }
            problem = problem.getCause();
        }
        return null;
    }

    private static String message(Throwable problem) {
        String text = problem.getMessage();
        return text == null || text.isBlank()
                ? "syntax error"
                : text.strip();
    }
}
