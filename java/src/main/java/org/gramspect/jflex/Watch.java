package org.gramspect.jflex;

import java.io.Reader;
import java.io.StringReader;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.List;

/**
 * Looks into scanners of one class that were generated with {@link WatchedSkeleton}: where their tokens
 * stand, whatever their symbols say.
 */
public final class Watch {
    /** A stretch of the text: from the first character to after the last one. */
    public record Place(int start, int end) {}

    private final Field matches;
    private final Field at;
    private final Field markedPosition;
    private final Field startRead;
    private final Field state;
    private final Field atEnd;
    private final Method reset;
    private final Method begin;

    private Watch(Class<?> type) throws ReflectiveOperationException {
        matches = field(type, WatchedSkeleton.MATCHES);
        at = field(type, WatchedSkeleton.PLACE);
        markedPosition = field(type, "zzMarkedPos");
        startRead = field(type, "zzStartRead");
        state = field(type, "zzLexicalState");
        atEnd = field(type, "zzAtEOF");
        reset = method(type, "yyreset", Reader.class);
        begin = method(type, "yybegin", int.class);
    }

    /** The watch of a class of scanners; null if they do not note their matches. */
    public static Watch of(Class<?> type) {
        try {
            return new Watch(type);
        } catch (ReflectiveOperationException | LinkageError other) {
            return null;
        }
    }

    private static Field field(Class<?> type, String name) throws ReflectiveOperationException {
        Field field = type.getDeclaredField(name);
        field.setAccessible(true);
        return field;
    }

    private static Method method(Class<?> type, String name, Class<?> parameter)
            throws ReflectiveOperationException {
        Method method = type.getDeclaredMethod(name, parameter);
        method.setAccessible(true);
        return method;
    }

    /** Forgets what was matched: a token begins. */
    public void start(Object scanner) throws ReflectiveOperationException {
        matches(scanner).clear();
    }

    /**
     * Where the token stands that the scanner has just returned.
     *
     * <p>It is the last match. If that was found in another lexical state than the first match since the
     * token before, it is the end of something that began where the scanner left that state, such as a
     * string. What is returned at the end of the input stands for no text.
     */
    public Place token(Object scanner) throws ReflectiveOperationException {
        if (atEnd.getBoolean(scanner)) {
            return new Place(at.getInt(scanner), at.getInt(scanner));
        }
        List<int[]> found = matches(scanner);
        int end = at.getInt(scanner) + markedPosition.getInt(scanner) - startRead.getInt(scanner);
        int first = found.size() - 1;
        while (first > 0 && found.get(first)[1] != found.get(0)[1]) {
            first--;
        }
        int start = first < 0 ? at.getInt(scanner) : found.get(first)[0];
        return new Place(start, Math.max(start, end));
    }

    /** Where what the scanner has read last begins: what it could not read, if it failed. */
    public int place(Object scanner) throws ReflectiveOperationException {
        return at.getInt(scanner);
    }

    /** Lets a scanner read another text, in the lexical state that it is in. */
    public void renew(Object scanner, String text) throws ReflectiveOperationException {
        int before = state.getInt(scanner);
        reset.invoke(scanner, new StringReader(text));
        begin.invoke(scanner, before);
        at.setInt(scanner, 0);
    }

    @SuppressWarnings("unchecked")
    private List<int[]> matches(Object scanner) throws ReflectiveOperationException {
        return (List<int[]>) matches.get(scanner);
    }
}
