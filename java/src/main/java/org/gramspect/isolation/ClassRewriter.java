package org.gramspect.isolation;

import org.objectweb.asm.ClassVisitor;

/** Puts a visitor before another one, to instrument the classes that an {@link IsolatedLoader} loads. */
@FunctionalInterface
public interface ClassRewriter {
    /**
     * A visitor that passes what it has changed on to {@code next}.
     *
     * <p>The writer behind it computes the sizes of stacks, but no frames: code that is inserted must
     * not branch. The binary name of the class has dots.
     */
    ClassVisitor rewrite(String className, ClassVisitor next);
}
