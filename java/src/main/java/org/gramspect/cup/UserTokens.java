package org.gramspect.cup;

import java.util.ArrayList;
import java.util.List;
import java.util.Stack;
import org.gramspect.buffers.Numbers;
import org.gramspect.isolation.Exit;
import org.gramspect.isolation.Outcome;

/**
 * The tokens of one text, from a user's scanner by way of the user's parser, as CUP's own loop would get
 * them; that parser's stack and actions follow what the tables say.
 */
final class UserTokens implements Engine.Tokens {
    private static final int SHOWN = 40;

    /** The scanner could not go on. */
    static final class ScanProblem extends Exception {
        private static final long serialVersionUID = 1L;

        ScanProblem(Throwable cause) {
            super(described(cause), cause);
        }

        private static String described(Throwable cause) {
            return cause instanceof Exit ? "the scanner called " + cause.getMessage()
                    : Outcome.described(cause);
        }
    }

    private final CupRuntime runtime;
    private final Tables tables;
    private final int[] terminals;
    private final boolean runActions;
    private final List<Object> read = new ArrayList<>();
    private Object parser;
    private Object scanner;
    private Stack<Object> stack;
    private Object leftHandSide;
    private ScanProblem problem;
    private int acting = -1;

    UserTokens(CupRuntime runtime, Tables tables, int[] terminals, boolean runActions) {
        this.runtime = runtime;
        this.tables = tables;
        this.terminals = terminals;
        this.runActions = runActions;
    }

    /** Takes the parser and scanner of one text. */
    void begin(UserParser.Instance instance) throws Exception {
        parser = instance.parser();
        scanner = instance.scanner();
        if (parser != null) {
            try {
                runtime.begin(parser, tables.startState);
                stack = runtime.stack(parser);
            } catch (Throwable thrown) {
                throw raised(thrown);
            }
        }
    }

    /** The production whose action is running, or -1. */
    int acting() {
        return acting;
    }

    /** Why the scanner could not go on; null if it could. */
    ScanProblem problem() {
        return problem;
    }

    @Override
    public int next() throws Exception {
        try {
            Object token = parser != null ? runtime.scan(parser) : runtime.nextToken(scanner);
            if (token == null) {
                return tables.endOfFile;
            }
            if (runtime.isUsed(token)) { // what CUP's own loop says and does
                throw new IllegalStateException("Symbol recycling detected (fix your scanner).");
            }
            read.add(token);
            return terminal(token);
        } catch (VirtualMachineError | LinkageError thrown) {
            throw thrown;
        } catch (Throwable thrown) {
            problem = new ScanProblem(thrown);
            throw problem;
        }
    }

    private int terminal(Object token) throws Throwable {
        int number = runtime.number(token);
        if (terminals == null) {
            return number;
        }
        return number < 0 || number >= terminals.length ? -1 : terminals[number];
    }

    @Override
    public void shifted(int state) throws Exception {
        if (parser == null) {
            return;
        }
        try {
            push(read.get(read.size() - 1), state);
        } catch (Throwable thrown) {
            throw raised(thrown);
        }
    }

    @Override
    public boolean reducing(int production) throws Exception {
        if (!runActions) {
            return true;
        }
        acting = production;
        try {
            leftHandSide = runtime.doAction(parser, production, stack, stack.size() - 1);
            acting = -1;
            return !runtime.isDone(parser);
        } catch (Throwable thrown) {
            throw raised(thrown);
        }
    }

    @Override
    public void reduced(int production, int state) throws Exception {
        if (!runActions) {
            return;
        }
        stack.setSize(stack.size() - tables.lengths[production]);
        try {
            push(leftHandSide, state);
        } catch (Throwable thrown) {
            throw raised(thrown);
        }
    }

    private void push(Object symbol, int state) throws Throwable {
        runtime.enter(symbol, state);
        if (runActions) {
            stack.push(symbol);
            runtime.setTop(parser, stack.size() - 1);
        }
    }

    /** Terminal and position of each token that was read, see {@link Results}. */
    Numbers tokens() throws Exception {
        Numbers numbers = new Numbers();
        try {
            for (Object token : read) {
                numbers.add(terminal(token));
                numbers.addAll(runtime.position(token));
            }
        } catch (Throwable thrown) {
            throw raised(thrown);
        }
        return numbers;
    }

    /** The value of the last token that was read, if it is plain; else nothing. */
    String lastValue() throws Exception {
        try {
            Object value = read.isEmpty() ? null : runtime.value(read.get(read.size() - 1));
            boolean plain = value instanceof String || value instanceof Character
                    || value instanceof Number && value.getClass().getName().startsWith("java.lang.");
            String text = plain ? value.toString() : "";
            return text.length() <= SHOWN ? text : text.substring(0, SHOWN - 3) + "...";
        } catch (Throwable thrown) {
            throw raised(thrown);
        }
    }

    private static Exception raised(Throwable thrown) {
        if (thrown instanceof Error error) {
            throw error;
        }
        return (Exception) thrown;
    }
}
