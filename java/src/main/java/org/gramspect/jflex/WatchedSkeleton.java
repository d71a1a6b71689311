package org.gramspect.jflex;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/**
 * The skeleton of JFlex's scanners, with what notes their matches.
 *
 * <p>Such a scanner notes for each match where it begins, counted from where the scanner began to read,
 * and the lexical state in which it was found; what is counted is what JFlex's own {@code yychar} counts.
 * {@link Watch} reads it.
 */
final class WatchedSkeleton {
    static final String MATCHES = "gramspect$matches";
    static final String PLACE = "gramspect$at";

    private static final String RESOURCE = "/jflex/skeleton.default";
    private static final String[][] CHANGES = {
        {"  /** Input device. */\n",
            "  public final java.util.ArrayList<int[]> " + MATCHES + " = new java.util.ArrayList<>();\n"
            + "  public int " + PLACE + ";\n"},
        {"      zzMarkedPosL = zzMarkedPos;\n", "      " + PLACE + " += zzMarkedPos - zzStartRead;\n"},
        {"      else {\n--- actions\n",
            "      else {\n" + MATCHES + ".add(new int[] {" + PLACE + ", zzLexicalState});\n--- actions\n"},
    };

    private WatchedSkeleton() {}

    static String text() throws IOException {
        String text;
        try (InputStream stream = WatchedSkeleton.class.getResourceAsStream(RESOURCE)) {
            text = new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        }
        for (String[] change : CHANGES) {
            if (text.split(Pattern.quote(change[0]), -1).length != 2) {
                throw new IllegalStateException("JFlex's skeleton is another one: " + change[0]);
            }
            String kept = change[1].startsWith("      else") ? "" : change[0];
            text = text.replace(change[0], kept + change[1]);
        }
        return text;
    }
}
