package org.gramspect.agent;

/** Values as JSON in ASCII. */
public final class Json {
    private Json() {}

    /** A string, or null. */
    public static String text(String text) {
        if (text == null) {
            return "null";
        }
        StringBuilder out = new StringBuilder(text.length() + 2).append('"');
        for (int i = 0; i < text.length(); i++) {
            char character = text.charAt(i);
            switch (character) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\n' -> out.append("\\n");
                default -> {
                    if (character >= ' ' && character < 127) {
                        out.append(character);
                    } else {
                        String hex = Integer.toHexString(0x10000 | character);
                        out.append("\\u").append(hex, 1, 5);
                    }
                }
            }
        }
        return out.append('"').toString();
    }

    /** An array of strings. */
    public static String texts(String[] texts) {
        StringBuilder out = new StringBuilder("[");
        for (int i = 0; i < texts.length; i++) {
            out.append(i == 0 ? "" : ",").append(text(texts[i]));
        }
        return out.append(']').toString();
    }

    /** An array of numbers. */
    public static String numbers(int[] numbers) {
        StringBuilder out = new StringBuilder(6 * numbers.length + 2).append('[');
        for (int i = 0; i < numbers.length; i++) {
            if (i > 0) {
                out.append(',');
            }
            out.append(numbers[i]);
        }
        return out.append(']').toString();
    }
}
