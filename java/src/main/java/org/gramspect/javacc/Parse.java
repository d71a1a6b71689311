package org.gramspect.javacc;

import java.util.ArrayList;
import java.util.List;

/** One parse: from the call of an outermost production of a parser to its end. */
public final class Parse {
    final Recording recording;
    final int root;
    private final Object parser;
    private final Object head;
    private Throwable error;
    private Object errorToken;
    private Throwable thrown;

    /** What is known of its tokens once the parser is given another text, or null before that. */
    private List<Object> tokens;
    private boolean isComplete;
    private Object last;

    /**
     * @param root the outermost production
     * @param parser null: a static one
     * @param head the token before the first one
     */
    Parse(Recording recording, int root, Object parser, Object head) {
        this.recording = recording;
        this.root = root;
        this.parser = parser;
        this.head = head;
    }

    void failed(Throwable problem, Object lastToken) {
        if (error == null) {
            error = problem;
            errorToken = lastToken;
        }
    }

    void ended(Throwable problem) {
        thrown = problem;
    }

    /** The outermost production. */
    public int root() {
        return root;
    }

    Object parser() {
        return parser;
    }

    /** The token before the first one. */
    Object head() {
        return head;
    }

    /** The first syntax error, or null. */
    Throwable error() {
        return error;
    }

    /** The last token consumed before it. */
    Object errorToken() {
        return errorToken;
    }

    /** Whether an error has left the parser, or was got over in it. */
    boolean hasFailed() {
        return error != null || thrown != null;
    }

    boolean hasFailedWith(Throwable problem) {
        return problem == error || problem == thrown;
    }

    /** The last token that the parser has consumed, before it was given another text. */
    Object last(TokenAccess access) {
        return tokens == null ? access.token(parser) : last;
    }

    /** The tokens that the parser has asked its lexer for; perhaps more of them. */
    List<Object> asked(TokenAccess access) {
        if (tokens != null) {
            return new ArrayList<>(tokens);
        }
        List<Object> found = new ArrayList<>();
        for (Object token = access.next(head); token != null; token = access.next(token)) {
            found.add(token);
        }
        return found;
    }

    /** Adds the tokens after those up to the end of the input; false if they cannot be had. */
    boolean fetchRest(TokenAccess access, List<Object> found) {
        if (tokens != null) {
            return isComplete;
        }
        try {
            while (found.isEmpty() || access.kind(found.get(found.size() - 1)) != 0) {
                found.add(access.fetch(parser));
            }
            return true;
        } catch (Exception | Error lexical) {
            return false; // nobody needs the tokens after a syntax error
        }
    }

    /** Reads the tokens that are left: the parser is about to be given another text. */
    void close(TokenAccess access) {
        if (tokens == null) {
            List<Object> found = asked(access);
            last = access.token(parser);
            isComplete = hasFailed() && fetchRest(access, found); // else the next parse may go on
            tokens = found;
        }
    }
}
