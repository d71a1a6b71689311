package org.gramspect.javacc;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * The parses of one test, in the order in which they began.
 *
 * <p>Code that runs a parser may run it several times: again with other options, or on other texts, as
 * when it asks which words could stand at an error. One parse of the start production tells the outcome.
 */
final class Parses {
    private final List<Parse> all = new ArrayList<>();

    synchronized void clear() {
        all.clear();
    }

    synchronized void add(Parse parse) {
        all.add(parse);
    }

    /**
     * The parse that gramspect has begun, or the first one of its parser with an error; null if there is no
     * parse. Actions may run parsers of their own.
     */
    synchronized Parse main(int start) {
        if (all.isEmpty()) {
            return null;
        }
        Parse main = first(all, parse -> parse.root() == start, all.get(0));
        return first(all, each -> each.parser() == main.parser() && each.error() != null, main);
    }

    /**
     * The parse that tells what code of the user's has found out: the one whose error it throws, or the
     * first that has failed; if it throws nothing, the last that has not.
     *
     * @param thrown what the code throws, or null
     * @param strict whether a syntax error counts that the code has got over
     * @return a parse of another production if there is none of the start production; null if there is no
     *     parse
     */
    synchronized Parse telling(int start, Throwable thrown, boolean strict) {
        List<Parse> of = all.stream().filter(parse -> parse.root() == start).toList();
        List<Parse> candidates = of.isEmpty() ? all : of;
        if (candidates.isEmpty()) {
            return null;
        }
        Parse last = candidates.get(candidates.size() - 1);
        if (thrown != null) {
            Parse failed = first(candidates, Parse::hasFailed, last);
            return first(candidates,
                    parse -> Verdict.find(thrown, parse::hasFailedWith) != null, failed);
        }
        Parse passed = last;
        for (Parse parse : candidates) {
            passed = parse.hasFailed() ? passed : parse;
        }
        return strict ? first(candidates, parse -> parse.error() != null, passed) : passed;
    }

    private static Parse first(List<Parse> parses, Predicate<Parse> wanted, Parse otherwise) {
        return parses.stream().filter(wanted).findFirst().orElse(otherwise);
    }
}
