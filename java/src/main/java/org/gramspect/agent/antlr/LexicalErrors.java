package org.gramspect.agent.antlr;

import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import org.gramspect.antlr.Reflection;

/** The first error of each lexer since it was reset. */
public final class LexicalErrors {
    /** At which character it is, and where that is; line and column from 1. */
    record Place(int character, int line, int column) {}

    private static final Map<Object, Place> FIRST =
            Collections.synchronizedMap(new WeakHashMap<>());

    private LexicalErrors() {}

    /** A lexer has met text that begins no token. */
    public static void note(Object lexer, Object error) {
        try {
            FIRST.putIfAbsent(lexer, new Place(
                    (int) Reflection.call(error, "getStartIndex"),
                    (int) Reflection.field(lexer, "_tokenStartLine"),
                    1 + (int) Reflection.field(lexer, "_tokenStartCharPositionInLine")));
        } catch (ReflectiveOperationException unknown) {
            // A runtime that is not like those that are known: the parser's own errors are left.
        }
    }

    /** A lexer begins another text. */
    public static void forget(Object lexer) {
        if (!FIRST.isEmpty()) {
            FIRST.remove(lexer);
        }
    }

    /** The first error of a lexer, or null. */
    static Place of(Object lexer) {
        return FIRST.get(lexer);
    }
}
