package org.gramspect.antlr;

import static org.gramspect.antlr.Reflection.call;
import static org.gramspect.antlr.Reflection.field;

import java.util.ArrayList;
import java.util.List;

/**
 * The states of an ATN at which a token is read or a rule is called.
 *
 * <p>Parsers that are recorded in a running program bring a runtime of their own, so this asks whatever
 * classes the ATN has.
 */
public final class Places {
    private static final byte READS = 1;
    private static final byte CALLS = 2;

    private static final int CALL = 3;
    private static final int ATOM = 5;
    /** The kinds of transitions over tokens: range, atom, set, complement, wildcard. */
    private static final List<Integer> TOKENS = List.of(2, ATOM, 7, 8, 9);

    /** By rule: the state with which it starts. */
    public final int[] starts;
    /**
     * By rule: for each state at which a token is read or a rule called, in their order, its number and what
     * it is, such as {@code 12 call 3}, {@code 15 token 7} or {@code 17 set {2, 4..6}}.
     */
    public final String[][] states;
    private final byte[] kinds;

    /** What is in an {@code org.antlr.v4.runtime.atn.ATN}. */
    public Places(Object atn) throws ReflectiveOperationException {
        List<?> all = (List<?>) field(atn, "states");
        kinds = new byte[all.size()];
        Object[] first = (Object[]) field(atn, "ruleToStartState");
        starts = new int[first.length];
        List<List<String>> found = new ArrayList<>();
        for (int rule = 0; rule < first.length; rule++) {
            starts[rule] = (int) field(first[rule], "stateNumber");
            found.add(new ArrayList<>());
        }
        for (Object state : all) {
            if (state != null && (int) call(state, "getNumberOfTransitions") == 1) {
                int number = (int) field(state, "stateNumber");
                String what = describe(call(state, "transition", 0), number);
                if (what != null) {
                    found.get((int) field(state, "ruleIndex")).add(what);
                }
            }
        }
        states = found.stream().map(rule -> rule.toArray(String[]::new)).toArray(String[][]::new);
    }

    private String describe(Object transition, int number) throws ReflectiveOperationException {
        int kind = (int) call(transition, "getSerializationType");
        if (kind == CALL) {
            kinds[number] = CALLS;
            return number + " call " + field(field(transition, "target"), "ruleIndex");
        } else if (!TOKENS.contains(kind)) {
            return null;
        }
        kinds[number] = READS;
        Object label = call(transition, "label");
        String types = label == null ? "all" : label.toString();
        return number + (kind == ATOM ? " token " : kind >= 8 ? " all but " : " set ") + types;
    }

    /** How many states there are. */
    public int size() {
        return kinds.length;
    }

    /** Whether the parser reads a token when it leaves a state. */
    public boolean reads(int state) {
        return kinds[state] == READS;
    }

    /** Whether the parser calls a rule when it leaves a state. */
    public boolean calls(int state) {
        return kinds[state] == CALLS;
    }
}
