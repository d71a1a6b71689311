package org.gramspect.javacc;

import java.util.Set;

/** The methods that every generated parser has. */
final class Calls {
    /** {@code Token jj_consume_token(int kind)}, through which productions consume tokens. */
    static final String CONSUME = "jj_consume_token";

    /** {@code Token getNextToken()}, through which Java code does. */
    static final String NEXT = "getNextToken";

    /** {@code void ReInit(...)}, with which a parser is given another text. */
    static final String RENEW = "ReInit";

    private static final Set<String> BOILERPLATE = Set.of(
            NEXT, "getToken", "generateParseException", "enable_tracing", "disable_tracing",
            "trace_enabled", "trace_call", "trace_return", "trace_token", "trace_scan", RENEW,
            "<init>", "<clinit>");

    private Calls() {}

    static boolean isBoilerplate(String method) {
        return method.startsWith("jj_") || BOILERPLATE.contains(method);
    }

    static boolean consumes(String parser, String owner, String method) {
        return owner.equals(parser) && (method.equals(CONSUME) || method.equals(NEXT));
    }
}
