package org.gramspect.javacc;

import java.lang.reflect.Field;
import java.lang.reflect.Method;

/** The tokens of a generated parser, which are of a generated class, too. */
public final class TokenAccess {
    private final Field token;
    private final Field source;
    private final Method nextToken;
    private final Field next;
    private final Field kind;
    private final Field line;
    private final Field column;
    private final Field endLine;
    private final Field endColumn;
    private final Field image;

    public TokenAccess(Class<?> parser) throws NoSuchFieldException, NoSuchMethodException {
        token = field(parser, "token");
        source = field(parser, "token_source");
        nextToken = source.getType().getMethod(Calls.NEXT);
        nextToken.setAccessible(true);
        Class<?> type = token.getType();
        next = field(type, "next");
        kind = field(type, "kind");
        line = field(type, "beginLine");
        column = field(type, "beginColumn");
        endLine = field(type, "endLine");
        endColumn = field(type, "endColumn");
        image = field(type, "image");
    }

    private static Field field(Class<?> type, String name) throws NoSuchFieldException {
        Field field = type.getDeclaredField(name);
        field.setAccessible(true);
        return field;
    }

    /** The last token that a parser (null: a static one) has consumed. */
    public Object token(Object parser) {
        return get(token, parser);
    }

    Class<?> lexerClass() {
        return source.getType();
    }

    /** The lexer of a parser (null: a static one). */
    Object source(Object parser) {
        return get(source, parser);
    }

    /** The token after another one, if the parser has asked for it already. */
    Object next(Object before) {
        return get(next, before);
    }

    /**
     * A token that the parser has not asked for.
     *
     * @throws Exception what the lexer throws
     */
    Object fetch(Object parser) throws Exception {
        return Reflection.call(() -> nextToken.invoke(get(source, parser)));
    }

    void link(Object before, Object after) {
        try {
            next.set(before, after);
        } catch (IllegalAccessException impossible) {
            throw new AssertionError(impossible);
        }
    }

    int kind(Object of) {
        return (Integer) get(kind, of);
    }

    int line(Object of) {
        return (Integer) get(line, of);
    }

    int column(Object of) {
        return (Integer) get(column, of);
    }

    int endLine(Object of) {
        return (Integer) get(endLine, of);
    }

    int endColumn(Object of) {
        return (Integer) get(endColumn, of);
    }

    String image(Object of) {
        return (String) get(image, of);
    }

    private static Object get(Field field, Object of) {
        try {
            return field.get(of);
        } catch (IllegalAccessException impossible) {
            throw new AssertionError(impossible);
        }
    }
}
