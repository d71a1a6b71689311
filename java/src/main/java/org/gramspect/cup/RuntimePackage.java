package org.gramspect.cup;

/** Finds the package of the CUP runtime that a class is made for, which may be renamed. */
final class RuntimePackage {
    private RuntimePackage() {}

    /** The package of the {@code lr_parser} or {@code Scanner} that a class extends; null if none. */
    static String of(Class<?> type) {
        for (Class<?> c = type; c != null; c = c.getSuperclass()) {
            if (c.getSimpleName().equals("lr_parser")) {
                return c.getPackageName();
            }
            for (Class<?> each : c.getInterfaces()) {
                if (each.getSimpleName().equals("Scanner") && hasNextToken(each)) {
                    return each.getPackageName();
                }
            }
        }
        return null;
    }

    private static boolean hasNextToken(Class<?> type) {
        try {
            return type.getMethod("next_token").getReturnType().getSimpleName().equals("Symbol");
        } catch (NoSuchMethodException other) {
            return false;
        }
    }
}
