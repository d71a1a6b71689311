package org.gramspect.javacc;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.Reader;
import java.io.StringReader;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * How a parser is made for a text, by the constructors that its class has: JavaCC generates them for a
 * Reader, a stream, a Provider or a CharStream, depending on options.
 */
final class Construction {
    /** What implements the interface CharStream, by the names that are usual. */
    private static final List<String> STREAMS =
            List.of("SimpleCharStream", "JavaCharStream", "FastCharStream", "UnicodeCharStream");

    /** What a constructor is given for a text. */
    @FunctionalInterface
    private interface Argument {
        Object of(String text) throws Exception;
    }

    private final Constructor<?> constructor;
    private final Argument argument;

    private Construction(Constructor<?> constructor, Argument argument) {
        this.constructor = constructor;
        this.argument = argument;
        constructor.setAccessible(true);
    }

    /** A way to make parsers of a class, or null. */
    static Construction of(Class<?> parser) {
        Constructor<?> found = withOne(parser, Reader.class.getName());
        if (found != null) {
            return new Construction(found, StringReader::new);
        }
        String home = parser.getName().substring(0, parser.getName().lastIndexOf('.') + 1);
        found = withOne(parser, home + "Provider");
        Constructor<?> provider = withOne(load(parser, home + "StringProvider"), "java.lang.String");
        if (found != null && provider != null) {
            return new Construction(found, text -> make(provider, text));
        }
        Construction stream = ofCharStream(parser, home);
        if (stream != null) {
            return stream;
        }
        found = withOne(parser, InputStream.class.getName());
        return found == null
                ? null
                : new Construction(found,
                        text -> new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    }

    private static Construction ofCharStream(Class<?> parser, String home) {
        for (Constructor<?> constructor : parser.getDeclaredConstructors()) {
            if (constructor.getParameterCount() != 1) {
                continue;
            }
            Class<?> wanted = constructor.getParameterTypes()[0];
            for (String name : STREAMS) {
                Class<?> stream = load(parser, home + name);
                Constructor<?> reader = withOne(stream, Reader.class.getName());
                if (reader != null && wanted.isAssignableFrom(stream)) {
                    return new Construction(
                            constructor, text -> make(reader, new StringReader(text)));
                }
            }
        }
        return null;
    }

    /** Lets a parser begin anew with another text. */
    void again(Object parser, String text) throws Exception {
        Method begin = parser.getClass().getMethod(Calls.RENEW, constructor.getParameterTypes());
        begin.setAccessible(true);
        Object given = argument.of(text);
        Reflection.call(() -> begin.invoke(parser, given));
    }

    Object parser(String text) throws Exception {
        Object given = argument.of(text);
        return Reflection.call(() -> constructor.newInstance(given));
    }

    private static Object make(Constructor<?> constructor, Object argument) throws Exception {
        constructor.setAccessible(true);
        return Reflection.call(() -> constructor.newInstance(argument));
    }

    private static Constructor<?> withOne(Class<?> type, String parameter) {
        if (type == null) {
            return null;
        }
        for (Constructor<?> constructor : type.getDeclaredConstructors()) {
            Class<?>[] parameters = constructor.getParameterTypes();
            if (parameters.length == 1 && parameters[0].getName().equals(parameter)) {
                return constructor;
            }
        }
        return null;
    }

    private static Class<?> load(Class<?> near, String name) {
        try {
            return Class.forName(name, true, near.getClassLoader());
        } catch (ClassNotFoundException | LinkageError missing) {
            return null;
        }
    }
}
