package org.gramspect.cup;

import java.util.Arrays;

/**
 * The tables of a CUP parser, as CUP numbers states, productions, terminals and non-terminals.
 *
 * <p>An action is 0 for an error, {@code s + 1} for a shift to state s, {@code -(p + 1)} for a reduction
 * by production p. In the reduce table, -1 stands for no state.
 */
public final class Tables {
    public final int states;
    public final int terminals;
    public final int nonterminals;
    public final int startState;
    public final int startProduction;
    public final int endOfFile;

    /** The state after the end of the input, which accepts. */
    public final int endState;

    /** The left-hand side and the length of each production. */
    public final int[] leftHandSides;
    public final int[] lengths;

    /** By state and terminal, and by state and non-terminal. */
    public final int[] actions;
    public final int[] reduces;

    Tables(int states, int terminals, int nonterminals, int startState, int startProduction,
            int endOfFile, int[] leftHandSides, int[] lengths, int[] actions, int[] reduces) {
        this.states = states;
        this.terminals = terminals;
        this.nonterminals = nonterminals;
        this.startState = startState;
        this.startProduction = startProduction;
        this.endOfFile = endOfFile;
        this.leftHandSides = leftHandSides;
        this.lengths = lengths;
        this.actions = actions;
        this.reduces = reduces;
        this.endState = endState();
    }

    /** The first state that accepts; -1 if none does. */
    private int endState() {
        int accepting = -(startProduction + 1);
        for (int place = 0; place < actions.length; place++) {
            if (actions[place] == accepting) {
                return place / terminals;
            }
        }
        return -1;
    }

    /**
     * From the tables of generated classes: for each production its left-hand side and length; for each
     * state pairs of a symbol and an action or state, of which the last, for the symbol -1, is the
     * default.
     */
    public static Tables of(short[][] productions, short[][] actions, short[][] reduces,
            int startState, int startProduction, int endOfFile, int error) {
        int states = actions.length;
        int[] left = column(productions, 0);
        int[] lengths = column(productions, 1);
        int terminals = 1 + Math.max(Math.max(endOfFile, error), largest(actions));
        int nonterminals = 1 + largest(reduces);
        for (int each : left) {
            nonterminals = Math.max(nonterminals, 1 + each);
        }
        return new Tables(states, terminals, nonterminals, startState, startProduction, endOfFile,
                left, lengths, dense(actions, states, terminals, 0),
                dense(reduces, states, nonterminals, -1));
    }

    /**
     * What tells tables apart: how long productions are, and to which states each state leads. Symbols
     * may have other numbers, since generated classes do not tell those that are not used.
     */
    public int[] digests() {
        int[] successors = new int[states];
        for (int state = 0; state < states; state++) {
            for (int terminal = 0; terminal < terminals; terminal++) {
                successors[state] += Math.max(0, action(state, terminal));
            }
            for (int nonterminal = 0; nonterminal < nonterminals; nonterminal++) {
                successors[state] += 31 * (reduce(state, nonterminal) + 1);
            }
        }
        return new int[] {states, startProduction, Arrays.hashCode(lengths),
            Arrays.hashCode(successors)};
    }

    int action(int state, int terminal) {
        return terminal < 0 || terminal >= terminals ? 0 : actions[state * terminals + terminal];
    }

    int reduce(int state, int nonterminal) {
        return reduces[state * nonterminals + nonterminal];
    }

    private static int[] column(short[][] rows, int column) {
        int[] values = new int[rows.length];
        for (int row = 0; row < rows.length; row++) {
            values[row] = rows[row][column];
        }
        return values;
    }

    private static int largest(short[][] rows) {
        int largest = 0;
        for (short[] row : rows) {
            for (int i = 0; i < row.length; i += 2) {
                largest = Math.max(largest, row[i]);
            }
        }
        return largest;
    }

    private static int[] dense(short[][] rows, int states, int symbols, int missing) {
        int[] dense = new int[states * symbols];
        Arrays.fill(dense, missing);
        for (int state = 0; state < rows.length; state++) {
            short[] row = rows[state];
            for (int i = 0; i + 1 < row.length; i += 2) {
                if (row[i] < 0) {
                    int fallback = row[i + 1];
                    for (int symbol = 0; symbol < symbols; symbol++) {
                        int place = state * symbols + symbol;
                        dense[place] = dense[place] == missing ? fallback : dense[place];
                    }
                } else if (dense[state * symbols + row[i]] == missing) {
                    dense[state * symbols + row[i]] = row[i + 1];
                }
            }
        }
        return dense;
    }
}
