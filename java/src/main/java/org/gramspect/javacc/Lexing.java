package org.gramspect.javacc;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import org.gramspect.buffers.Numbers;

/**
 * The lexer of a generated parser, run without the parser.
 *
 * <p>It reads stretches of a text one after the other, each as if the text ended after it, in the
 * lexical state that it was in at the end of the stretch before.
 */
public final class Lexing {
    /** The kind in the last row if the lexer could not read on. */
    static final int FAILED = -1;

    /**
     * What was read.
     *
     * @param numbers a row for each token: the number of its stretch, its kind, the line and column of its
     *     first and of its last character. Where the lexer fails a last row has the place at which the token
     *     begins that it could not read
     * @param images the text of each token, as the lexer gives it to the parser
     */
    public record Tokens(int[] numbers, String[] images) {}

    private final Construction construction;
    private final TokenAccess access;
    private final Class<?> lexerClass;

    Lexing(Construction construction, TokenAccess access, Class<?> lexerClass) {
        this.construction = construction;
        this.access = access;
        this.lexerClass = lexerClass;
    }

    /** Reads stretches; throws what the user's code throws, and if the lexer has not the usual methods. */
    Tokens read(String[] stretches) throws Exception {
        Field state = field(lexerClass, "curLexState");
        Method switchTo = lexerClass.getMethod("SwitchTo", int.class);
        switchTo.setAccessible(true);
        Object parser = construction.parser(stretches[0]);
        Numbers out = new Numbers();
        List<String> images = new ArrayList<>();
        for (int i = 0; i < stretches.length; i++) {
            Object lexer = access.source(parser);
            if (i > 0) {
                int before = state.getInt(lexer);
                construction.again(parser, stretches[i]);
                Object renewed = access.source(parser);
                Reflection.call(() -> switchTo.invoke(renewed, before));
            }
            if (!read(parser, i, stretches[i].length(), out, images)) {
                break;
            }
        }
        return new Tokens(out.toArray(), images.toArray(String[]::new));
    }

    /** Whether all of a stretch is read. */
    private boolean read(
            Object parser, int stretch, int length, Numbers out, List<String> images)
            throws Exception {
        for (int left = 2 * length + 2; left > 0; left--) { // a token may be empty, but not all are
            Object token;
            try {
                token = access.fetch(parser);
            } catch (Exception | Error problem) {
                if (!Verdict.isLexical(problem)) {
                    throw problem;
                }
                break;
            }
            int kind = access.kind(token);
            if (kind == 0) {
                return true;
            }
            out.addAll(stretch, kind, access.line(token), access.column(token),
                    access.endLine(token), access.endColumn(token));
            images.add(access.image(token));
        }
        Object stream = stream(parser);
        int line = place(stream, "getBeginLine");
        int column = place(stream, "getBeginColumn");
        out.addAll(stretch, FAILED, line, column, line, column);
        return false;
    }

    private Object stream(Object parser) throws ReflectiveOperationException {
        return field(lexerClass, "input_stream").get(access.source(parser));
    }

    private static int place(Object stream, String name) throws Exception {
        Method method = stream.getClass().getMethod(name);
        method.setAccessible(true);
        return (Integer) Reflection.call(() -> method.invoke(stream));
    }

    private static Field field(Class<?> type, String name) throws NoSuchFieldException {
        for (Class<?> at = type; at != null; at = at.getSuperclass()) {
            try {
                Field field = at.getDeclaredField(name);
                field.setAccessible(true);
                return field;
            } catch (NoSuchFieldException inherited) {
                // perhaps
            }
        }
        throw new NoSuchFieldException(name);
    }
}
