package org.gramspect.javacc;

import java.lang.reflect.Array;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.concurrent.Callable;

/** Calls of user code by reflection. */
final class Reflection {
    private Reflection() {}

    /** The value of a reflective call; throws what the user code throws. */
    static <T> T call(Callable<T> work) throws Exception {
        try {
            return work.call();
        } catch (InvocationTargetException wrapped) {
            throw unchanged(wrapped.getCause());
        }
    }

    /** A Throwable to be thrown as what it is: exceptions are returned, errors thrown. */
    static Exception unchanged(Throwable problem) {
        if (problem instanceof Error error) {
            throw error;
        }
        return problem instanceof Exception exception
                ? exception
                : new IllegalStateException(problem);
    }

    /** Null, false or zero for each parameter of a method. */
    static Object[] emptyArguments(Method method) {
        Class<?>[] types = method.getParameterTypes();
        Object[] arguments = new Object[types.length];
        for (int i = 0; i < types.length; i++) {
            if (types[i].isPrimitive()) {
                arguments[i] = Array.get(Array.newInstance(types[i], 1), 0);
            }
        }
        return arguments;
    }
}
