package org.gramspect.isolation;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What the static fields of user classes held when the classes had been initialized, so that every test
 * starts from the same.
 *
 * <p>Fields get their values back, and arrays and the collections of the JDK that they hold their
 * contents, one level deep. Objects of the user's own classes keep what they hold, and so do long arrays
 * of numbers, which are the tables of generated scanners.
 */
public final class StaticState {
    private static final int LONGEST_COUNTERS = 4096;

    /** By package: what puts the fields of its classes back. */
    private final Map<String, List<Runnable>> undo = new LinkedHashMap<>();

    StaticState() {}

    /** Called by the class initializers of user classes, as the last thing that they do. */
    public static void initialized() {
        Class<?> caller =
                StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE).getCallerClass();
        if (caller.getClassLoader() instanceof IsolatedLoader loader) {
            loader.staticState().keep(caller);
        }
    }

    private synchronized void keep(Class<?> initialized) {
        List<Runnable> home =
                undo.computeIfAbsent(initialized.getPackageName(), name -> new ArrayList<>());
        for (Field field : initialized.getDeclaredFields()) {
            if (Modifier.isStatic(field.getModifiers())) {
                keep(field, home);
            }
        }
    }

    private void keep(Field field, List<Runnable> home) {
        Object value;
        try {
            field.setAccessible(true);
            value = field.get(null);
        } catch (IllegalAccessException impossible) {
            throw new AssertionError(impossible);
        }
        if (!Modifier.isFinal(field.getModifiers())) {
            home.add(() -> set(field, value));
        }
        Runnable contents = value == null ? null : contents(value);
        if (contents != null) {
            home.add(contents);
        }
    }

    /** Puts everything back. */
    synchronized void restore() {
        undo.values().forEach(home -> home.forEach(Runnable::run));
    }

    /** Puts back what classes of one package hold. */
    synchronized void restore(String packageName) {
        undo.getOrDefault(packageName, List.of()).forEach(Runnable::run);
    }

    private static void set(Field field, Object value) {
        try {
            field.set(null, value);
        } catch (IllegalAccessException impossible) {
            throw new AssertionError(impossible);
        }
    }

    /** A function that gives a container its present contents back; null for anything else. */
    private static Runnable contents(Object value) {
        if (value.getClass().isArray()) {
            int length = Array.getLength(value);
            if (length > LONGEST_COUNTERS && value.getClass().getComponentType().isPrimitive()) {
                return null;
            }
            Object saved = Array.newInstance(value.getClass().getComponentType(), length);
            System.arraycopy(value, 0, saved, 0, length);
            return () -> System.arraycopy(saved, 0, value, 0, length);
        }
        if (value.getClass().getClassLoader() != null) {
            return null;
        }
        if (value instanceof Collection<?> collection) {
            return ofCollection(collection);
        }
        return value instanceof Map<?, ?> map ? ofMap(map) : null;
    }

    private static <T> Runnable ofCollection(Collection<T> collection) {
        List<T> saved = new ArrayList<>(collection);
        return () -> {
            if (!same(collection, saved)) {
                collection.clear();
                collection.addAll(saved);
            }
        };
    }

    private static <K, V> Runnable ofMap(Map<K, V> map) {
        Map<K, V> saved = new LinkedHashMap<>(map);
        return () -> {
            if (!same(map.keySet(), saved.keySet()) || !same(map.values(), saved.values())) {
                map.clear();
                map.putAll(saved);
            }
        };
    }

    /** Whether two collections hold the same objects in the same order; runs no user code. */
    private static boolean same(Collection<?> some, Collection<?> others) {
        if (some.size() != others.size()) {
            return false;
        }
        var other = others.iterator();
        for (Object one : some) {
            if (one != other.next()) {
                return false;
            }
        }
        return true;
    }
}
