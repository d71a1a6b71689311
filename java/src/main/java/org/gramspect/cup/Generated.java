package org.gramspect.cup;

/**
 * What CUP has made of a grammar. Symbols are numbered terminals first.
 *
 * @param terminals the names of the terminals
 * @param nonterminals the names of the non-terminals
 * @param productions for each production the number of its non-terminal, its length, its symbols
 * @param items for each state its number, the number of its items, and of each production and dot
 * @param actions by state and terminal, see {@link Tables}
 * @param reduces by state and non-terminal
 * @param startState the first state
 * @param startProduction the production of the start symbol and the end of the input
 */
public record Generated(String[] terminals, String[] nonterminals, int[] productions, int[] items,
        int[] actions, int[] reduces, int startState, int startProduction) {
    private static final int END_OF_FILE = 0;

    public Tables tables() {
        int states = actions.length / terminals.length;
        int count = 0;
        for (int at = 0; at < productions.length; at += 2 + productions[at + 1]) {
            count++;
        }
        int[] left = new int[count];
        int[] lengths = new int[count];
        int number = 0;
        for (int at = 0; at < productions.length; at += 2 + productions[at + 1]) {
            left[number] = productions[at];
            lengths[number++] = productions[at + 1];
        }
        return new Tables(states, terminals.length, nonterminals.length, startState,
                startProduction, END_OF_FILE, left, lengths, actions, reduces);
    }
}
