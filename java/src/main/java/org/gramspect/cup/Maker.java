package org.gramspect.cup;

import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.Reader;
import java.io.StringReader;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Makes scanners and parsers as a user would: by a constructor or a static method whose parameters are a
 * reader or a stream of the input, a factory of symbols, the scanner. What takes no input reads standard
 * input.
 *
 * <p>{@code pkg.Name} stands for the constructor that takes most of these, {@code pkg.Name(Reader)} for
 * the one with these parameters, {@code pkg.Name::method} for a static method.
 */
final class Maker {
    private final Executable made;
    private final Class<?>[] parameters;

    private Maker(Executable made) {
        this.made = made;
        this.parameters = made.getParameterTypes();
        made.setAccessible(true);
    }

    /** The class that a text such as {@code pkg.Name(Reader)} is about. */
    static String className(String text) {
        return text.split("\\(|::", 2)[0].strip();
    }

    /**
     * How to make an object.
     *
     * @param scanner the type of the scanner that is there, or null
     * @param factory the type of the runtime's factories of symbols, null if it has none
     * @throws NoSuchMethodException there is no way; the message says what was looked for
     */
    static Maker of(Class<?> type, String text, Class<?> scanner, Class<?> factory)
            throws NoSuchMethodException {
        int method = text.indexOf("::");
        if (method >= 0) {
            return ofMethod(type, text.substring(method + 2).strip(), scanner, factory);
        }
        int open = text.indexOf('(');
        if (open >= 0) {
            String wanted = text.substring(open).replaceAll("\\s", "");
            return Arrays.stream(type.getDeclaredConstructors())
                    .filter(c -> signature(c).equals(wanted))
                    .findFirst()
                    .map(Maker::new)
                    .orElseThrow(() -> new NoSuchMethodException(
                            type.getName() + " has no constructor " + wanted + constructors(type)));
        }
        return best(Arrays.stream(type.getDeclaredConstructors()), scanner, factory)
                .orElseThrow(() -> new NoSuchMethodException(type.getName()
                        + " has no constructor that takes a Reader, an InputStream"
                        + (scanner == null ? "" : ", a scanner") + " or nothing"
                        + constructors(type)));
    }

    private static Maker ofMethod(Class<?> type, String name, Class<?> scanner, Class<?> factory)
            throws NoSuchMethodException {
        Stream<Method> named = Arrays.stream(type.getDeclaredMethods())
                .filter(m -> m.getName().equals(name) && Modifier.isStatic(m.getModifiers()));
        return best(named, scanner, factory).orElseThrow(() -> new NoSuchMethodException(
                type.getName() + " has no static method " + name
                        + " that takes a Reader, an InputStream, a String, a scanner or nothing"));
    }

    private static Optional<Maker> best(
            Stream<? extends Executable> candidates, Class<?> scanner, Class<?> factory) {
        return candidates.filter(c -> suits(c, scanner, factory))
                .max(Comparator.comparingInt(c -> worth(c, scanner, factory)))
                .map(Maker::new);
    }

    private static boolean suits(Executable candidate, Class<?> scanner, Class<?> factory) {
        return Arrays.stream(candidate.getParameterTypes()).allMatch(type ->
                isReader(type) || type == InputStream.class || isFactory(type, factory)
                || scanner != null && type.isAssignableFrom(scanner) && type != Object.class
                || type == String.class && candidate instanceof Method);
    }

    /**
     * How well a constructor or method suits: those that take the scanner come first, before all by its own
     * type, then those that take a factory of symbols, without which they have none, then those that take
     * the input.
     */
    private static int worth(Executable candidate, Class<?> scanner, Class<?> factory) {
        int worth = 0;
        for (Class<?> type : candidate.getParameterTypes()) {
            if (scanner != null && type.isAssignableFrom(scanner)) {
                worth += type.isInterface() ? 64 : 128;
            } else if (isFactory(type, factory)) {
                worth += 32;
            } else if (isReader(type) || type == String.class) {
                worth += 16;
            } else if (type == InputStream.class) {
                worth += 8;
            } else {
                worth += 1;
            }
        }
        return worth;
    }

    private static boolean isReader(Class<?> type) {
        return type == Reader.class || type == BufferedReader.class || type == StringReader.class;
    }

    private static boolean isFactory(Class<?> type, Class<?> factory) {
        return factory != null && factory.isAssignableFrom(type);
    }

    private static String signature(Executable executable) {
        List<String> names = Arrays.stream(executable.getParameterTypes())
                .map(Class::getSimpleName).toList();
        return "(" + String.join(",", names) + ")";
    }

    private static String constructors(Class<?> type) {
        return "; it has " + String.join(", ",
                Arrays.stream(type.getDeclaredConstructors()).map(Maker::signature).sorted().toList());
    }

    /** Whether it takes the input. */
    boolean takesInput() {
        return Arrays.stream(parameters).anyMatch(type ->
                isReader(type) || type == InputStream.class || type == String.class);
    }

    /** Whether it takes a factory of symbols. */
    boolean takesFactory(Class<?> factory) {
        return Arrays.stream(parameters).anyMatch(type -> isFactory(type, factory));
    }

    /** Whether it takes a scanner of that type. */
    boolean takesScanner(Class<?> scanner) {
        return Arrays.stream(parameters).anyMatch(type -> type.isAssignableFrom(scanner));
    }

    /** The type of what is made. */
    Class<?> type() {
        return made instanceof Method method ? method.getReturnType() : made.getDeclaringClass();
    }

    /**
     * Makes one for an input.
     *
     * @param factory a factory of symbols, or null
     * @throws Exception what the user's code throws
     */
    Object make(String text, Object scanner, Object factory) throws Exception {
        Object[] arguments = new Object[parameters.length];
        for (int i = 0; i < parameters.length; i++) {
            arguments[i] = argument(parameters[i], text, scanner, factory);
        }
        try {
            return made instanceof Method method
                    ? method.invoke(null, arguments)
                    : ((Constructor<?>) made).newInstance(arguments);
        } catch (InvocationTargetException wrapped) {
            if (wrapped.getCause() instanceof Exception problem) {
                throw problem;
            }
            throw (Error) wrapped.getCause();
        }
    }

    private static Object argument(Class<?> type, String text, Object scanner, Object factory) {
        if (scanner != null && type.isInstance(scanner)) {
            return scanner;
        } else if (type == String.class) {
            return text;
        } else if (type == BufferedReader.class) {
            return new BufferedReader(new StringReader(text));
        } else if (isReader(type)) {
            return new StringReader(text);
        } else if (type == InputStream.class) {
            return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
        }
        return type.isInstance(factory) ? factory : null;
    }
}
