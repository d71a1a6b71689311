package org.gramspect.javacc;

/**
 * The numbers of the pairs of sites that can follow each other.
 *
 * <p>A production with k sites has (k + 1)² pairs: the site before (0: the start of the production) times
 * k + 1, plus the site after (0: the end of the production).
 */
public final class Layout {
    final int[] bases;
    final int[] widths;
    final int nPairs;

    public static Layout of(ParserOutline outline) {
        return new Layout(
                outline.productions.stream().mapToInt(p -> p.sites().size()).toArray());
    }

    private Layout(int[] sites) {
        bases = new int[sites.length];
        widths = new int[sites.length];
        int next = 0;
        for (int production = 0; production < sites.length; production++) {
            bases[production] = next;
            widths[production] = sites[production] + 1;
            next = Math.addExact(next, Math.multiplyExact(widths[production], widths[production]));
        }
        nPairs = next;
    }
}
