package org.gramspect.javacc;

/** Something that the user can mend; the message says what. */
public final class UserProblem extends Exception {
    private static final long serialVersionUID = 1L;

    UserProblem(String message) {
        super(message);
    }
}
