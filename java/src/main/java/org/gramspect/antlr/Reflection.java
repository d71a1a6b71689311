package org.gramspect.antlr;

import java.lang.reflect.Method;

/** Members of classes of an ANTLR runtime that a running program brings. */
public final class Reflection {
    private Reflection() {}

    public static Object call(Object of, String name) throws ReflectiveOperationException {
        Method method = of.getClass().getMethod(name);
        method.setAccessible(true); // the class may not be public
        return method.invoke(of);
    }

    public static Object call(Object of, String name, int argument) throws ReflectiveOperationException {
        Method method = of.getClass().getMethod(name, int.class);
        method.setAccessible(true);
        return method.invoke(of, argument);
    }

    public static Object field(Object of, String name) throws ReflectiveOperationException {
        return of.getClass().getField(name).get(of);
    }
}
