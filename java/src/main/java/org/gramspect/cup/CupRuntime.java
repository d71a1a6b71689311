package org.gramspect.cup;

import static java.lang.invoke.MethodType.methodType;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Stack;

/**
 * The CUP runtime that a user's parser came with, in whatever version and package: those members of its
 * classes that a parse needs.
 */
final class CupRuntime {
    private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();

    final Class<?> parserClass;
    final Class<?> scannerClass;

    /** What all factories of symbols implement; null before version 0.11. */
    final Class<?> factoryClass;

    private final Class<?> symbolClass;
    private final Class<?> complexSymbolClass;
    private final Class<?> complexFactoryClass;
    private final MethodHandle nextToken;
    private final MethodHandle scan;
    private final MethodHandle doAction;
    private final MethodHandle stack;
    private final MethodHandle setTop;
    private final MethodHandle setToken;
    private final MethodHandle done;
    private final MethodHandle symbol;
    private final MethodHandle left;
    private final MethodHandle right;
    private final MethodHandle value;
    private final MethodHandle setState;
    private final MethodHandle used;
    private final MethodHandle setUsed;

    /**
     * @param packageName the package of the runtime, usually {@code java_cup.runtime}
     * @throws ReflectiveOperationException the classes are not there, or not those of CUP
     */
    CupRuntime(ClassLoader loader, String packageName) throws ReflectiveOperationException {
        String prefix = packageName.isEmpty() ? "" : packageName + ".";
        parserClass = loader.loadClass(prefix + "lr_parser");
        scannerClass = loader.loadClass(prefix + "Scanner");
        symbolClass = loader.loadClass(prefix + "Symbol");
        factoryClass = optional(loader, prefix + "SymbolFactory");
        complexFactoryClass = optional(loader, prefix + "ComplexSymbolFactory");
        complexSymbolClass = optional(loader, prefix + "ComplexSymbolFactory$ComplexSymbol");
        nextToken = method(scannerClass, "next_token");
        scan = method(parserClass, "scan");
        doAction = method(parserClass, "do_action",
                int.class, parserClass, Stack.class, int.class);
        stack = getter(parserClass, "stack", Stack.class);
        setTop = setter(parserClass, "tos", int.class);
        setToken = setter(parserClass, "cur_token", Object.class);
        done = getter(parserClass, "_done_parsing", boolean.class);
        symbol = getter(symbolClass, "sym", int.class);
        left = getter(symbolClass, "left", int.class);
        right = getter(symbolClass, "right", int.class);
        value = getter(symbolClass, "value", Object.class);
        setState = setter(symbolClass, "parse_state", int.class);
        used = getter(symbolClass, "used_by_parser", boolean.class);
        setUsed = setter(symbolClass, "used_by_parser", boolean.class);
    }

    private static Class<?> optional(ClassLoader loader, String name) {
        try {
            return loader.loadClass(name);
        } catch (ClassNotFoundException older) {
            return null;
        }
    }

    private static MethodHandle method(Class<?> type, String name, Class<?>... parameters)
            throws ReflectiveOperationException {
        Method method = type.getDeclaredMethod(name, parameters);
        method.setAccessible(true);
        MethodHandle handle = LOOKUP.unreflect(method);
        var types = handle.type().changeReturnType(Object.class);
        for (int i = 0; i < types.parameterCount(); i++) {
            boolean theirs = types.parameterType(i).getClassLoader() != null;
            types = theirs ? types.changeParameterType(i, Object.class) : types;
        }
        return handle.asType(types);
    }

    private static MethodHandle getter(Class<?> type, String name, Class<?> as)
            throws ReflectiveOperationException {
        return LOOKUP.unreflectGetter(field(type, name)).asType(methodType(as, Object.class));
    }

    private static MethodHandle setter(Class<?> type, String name, Class<?> as)
            throws ReflectiveOperationException {
        return LOOKUP.unreflectSetter(field(type, name))
                .asType(methodType(void.class, Object.class, as));
    }

    private static Field field(Class<?> type, String name) throws NoSuchFieldException {
        Field field = type.getDeclaredField(name);
        field.setAccessible(true);
        return field;
    }

    /** A factory of symbols with positions, if the runtime has one; else null. */
    Object newFactory() throws ReflectiveOperationException {
        return complexFactoryClass == null
                ? null
                : complexFactoryClass.getConstructor().newInstance();
    }

    /** Gives a parser its scanner, if it has none from its constructor. */
    void setScanner(Object parser, Object scanner) throws ReflectiveOperationException {
        parserClass.getMethod("setScanner", scannerClass).invoke(parser, scanner);
    }

    /** Whether a parser has its own way to get tokens ({@code scan with}). */
    boolean scansItself(Class<?> parser) {
        for (Class<?> type = parser; type != parserClass; type = type.getSuperclass()) {
            if (Arrays.stream(type.getDeclaredMethods()).anyMatch(
                    m -> m.getName().equals("scan") && m.getParameterCount() == 0)) {
                return true;
            }
        }
        return false;
    }

    /** What CUP's own loop does before the first token. */
    void begin(Object parser, int startState) throws Throwable {
        call(parser, "init_actions");
        call(parser, "user_init");
        Stack<Object> states = stack(parser);
        states.removeAllElements();
        states.push(startSymbol(parser, startState));
        setTop.invokeExact(parser, 0);
    }

    private void call(Object parser, String name) throws Throwable {
        Method method = parserClass.getDeclaredMethod(name);
        method.setAccessible(true);
        try {
            method.invoke(parser);
        } catch (InvocationTargetException wrapped) {
            throw wrapped.getCause();
        }
    }

    private Object startSymbol(Object parser, int startState) throws Throwable {
        Object start;
        if (factoryClass == null) {
            start = symbolClass.getConstructor(int.class).newInstance(0);
        } else {
            Object factory = parserClass.getMethod("getSymbolFactory").invoke(parser);
            start = factoryClass.getMethod("startSymbol", String.class, int.class, int.class)
                    .invoke(factory, "START", 0, startState);
        }
        setState.invokeExact(start, startState);
        return start;
    }

    @SuppressWarnings("unchecked")
    Stack<Object> stack(Object parser) throws Throwable {
        return (Stack<Object>) stack.invokeExact(parser);
    }

    void setTop(Object parser, int top) throws Throwable {
        setTop.invokeExact(parser, top);
    }

    /** The next token, by way of the parser. */
    Object scan(Object parser) throws Throwable {
        Object token = scan.invokeExact(parser);
        setToken.invokeExact(parser, token);
        return token;
    }

    /** The next token straight from a scanner; null at the end of the input. */
    Object nextToken(Object scanner) throws Throwable {
        return nextToken.invokeExact(scanner);
    }

    /** Runs the action of a production; the symbol of its left-hand side. */
    Object doAction(Object parser, int production, Stack<Object> stack, int top) throws Throwable {
        return doAction.invokeExact(parser, production, parser, stack, top);
    }

    /** Whether an action has ended the parse. */
    boolean isDone(Object parser) throws Throwable {
        return (boolean) done.invokeExact(parser);
    }

    int number(Object token) throws Throwable {
        return (int) symbol.invokeExact(token);
    }

    Object value(Object token) throws Throwable {
        return value.invokeExact(token);
    }

    boolean isUsed(Object token) throws Throwable {
        return (boolean) used.invokeExact(token);
    }

    void enter(Object token, int state) throws Throwable {
        setState.invokeExact(token, state);
        setUsed.invokeExact(token, true);
    }

    /** Whether line and column are known, and the two positions of a token. */
    int[] position(Object token) throws Throwable {
        if (complexSymbolClass != null && complexSymbolClass.isInstance(token)) {
            Object place = complexSymbolClass.getField("xleft").get(token);
            if (place != null) {
                return new int[] {1, (int) place.getClass().getMethod("getLine").invoke(place),
                    (int) place.getClass().getMethod("getColumn").invoke(place)};
            }
        }
        return new int[] {0, (int) left.invokeExact(token), (int) right.invokeExact(token)};
    }
}
