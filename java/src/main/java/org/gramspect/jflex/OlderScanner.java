package org.gramspect.jflex;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What older versions of JFlex generated otherwise, for code in specifications that was written for them.
 *
 * <p>Until JFlex 1.7 {@code yychar} was an int, so it could be given to a {@code Symbol}; until 1.6 there was
 * another constructor, which takes an {@code InputStream}.
 */
final class OlderScanner {
    private static final String[][] COUNT = {
        {"\n  private long yychar;\n", "\n  private int yychar;\n"},
        {"\n      yychar = 0L;\n", "\n      yychar = 0;\n"},
    };
    private static final Pattern CONSTRUCTOR = Pattern.compile("(?m)^  (?<head>(?:public )?\\w+\\(java\\.io\\.)"
            + "Reader in(?<arguments>.*)\\)(?<errors>(?: throws .*)?) \\{$");

    private OlderScanner() {}

    /** The text of a generated scanner as JFlex 1.7 would have it, with the same lines. */
    static String counted(String text) {
        String counted = text;
        for (String[] change : COUNT) {
            counted = counted.replace(change[0], change[1]);
        }
        return counted;
    }

    /** The text of a generated scanner with the constructor of JFlex 1.6, with the same lines. */
    static String withConstructor(String text) {
        Matcher found = CONSTRUCTOR.matcher(text);
        return found.find()
                ? text.substring(0, found.start()) + another(found) + text.substring(found.start())
                : text;
    }

    private static String another(Matcher constructor) {
        String arguments = constructor.group("arguments");
        return "  " + constructor.group("head") + "InputStream in" + arguments + ")"
                + constructor.group("errors") + " { this(new java.io.InputStreamReader(in)"
                + names(arguments) + "); }";
    }

    /** The names of further arguments such as {@code , java.util.Map<K, V> map, int size}. */
    private static String names(String arguments) {
        StringBuilder names = new StringBuilder();
        String plain = arguments;
        for (String before = ""; !before.equals(plain);) {
            before = plain;
            plain = plain.replaceAll("<[^<>]*>", "");
        }
        for (String argument : plain.split(",")) {
            String[] words = argument.strip().split("\\s+");
            names.append(argument.isBlank() ? "" : ", " + words[words.length - 1]);
        }
        return names.toString();
    }
}
