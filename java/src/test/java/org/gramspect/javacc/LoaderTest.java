package org.gramspect.javacc;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LoaderTest {
    private static final String HEAD = """
            options { STATIC = %s; }
            PARSER_BEGIN(P) public class P { static int count; } PARSER_END(P)
            SKIP : { " " }
            """;
    private static final String LIST = """
            void start() : {} { item() ( "," item() )* <EOF> }
            void item() : {} { "a" { count++; } [ "b" ] }
            """;

    @TempDir
    private Path folder;

    private Loader.Result generate(String productions, boolean isStatic) throws Exception {
        Path grammar = folder.resolve("P.jj");
        Files.writeString(grammar, HEAD.formatted(isStatic) + productions);
        return Loader.generate(grammar.toString(), new String[0]);
    }

    private static LoadedParser parser(Loader.Result result) {
        assertNotNull(result.parser(), result.printed() + result.error());
        return result.parser();
    }

    @Test
    void outlineHasSitesInOrderAndWhatFollowsThem() throws Exception {
        LoadedParser parser = parser(generate(LIST, false));
        assertArrayEquals(new String[] {"start", "item"}, parser.productions());
        ParserOutline.Production start = parser.outline.productions.get(0);
        assertEquals(4, start.sites().size());
        assertEquals("[{1}, {2, 4}, {3}, {2, 4}, {0}]", start.follow().toString());
        ParserOutline.Production item = parser.outline.productions.get(1);
        assertEquals("[{1}, {0, 2}, {0}]", item.follow().toString());
        assertEquals("<EOF>", parser.images()[0]);
    }

    @Test
    void pairsOfSitesAreRecorded() throws Exception {
        for (boolean isStatic : new boolean[] {false, true}) {
            Runner runner = parser(generate(LIST, isStatic)).runner(new int[0], 0, null, false);
            Runner.Results results = runner.run(new String[] {"a", "a , a b"});
            int item = 25; // after the pairs of start, which has four sites
            int[] first = {1, item + 1, item + 3, 1 * 5 + 4, 4 * 5};
            int[] second = {1, item + 1, item + 3, 1 * 5 + 2, 2 * 5 + 3, item + 1 * 3 + 2,
                item + 2 * 3, 3 * 5 + 4, 4 * 5};
            int[] numbers = results.numbers();
            assertEquals(Runner.ACCEPTED, numbers[0]);
            assertEquals(first.length, numbers[1]);
            for (int i = 0; i < first.length; i++) {
                assertEquals(first[i], numbers[2 + i] >> 1);
            }
            int at = 2 + first.length;
            assertEquals(Runner.ACCEPTED, numbers[at]);
            assertEquals(second.length, numbers[at + 1]);
            for (int i = 0; i < second.length; i++) {
                assertEquals(second[i], numbers[at + 2 + i] >> 1);
            }
            assertEquals(0, results.messages().length);
        }
    }

    @Test
    void sitesThatAreNotRecordedLeaveNoPairs() throws Exception {
        LoadedParser parser = parser(generate(LIST, false));
        Runner runner = parser.runner(new int[] {1, 0, 0, 2}, 0, null, false);
        int[] numbers = runner.run(new String[] {"a , a b"}).numbers();
        int[] pairs = {1, 1 * 5 + 3, 3 * 5 + 4, 4 * 5};
        assertEquals(pairs.length, numbers[1]);
        for (int i = 0; i < pairs.length; i++) {
            assertEquals(pairs[i], numbers[2 + i] >> 1);
        }
    }

    @Test
    void errorsHoldTheTokens() throws Exception {
        Runner runner = parser(generate(LIST, false)).runner(new int[0], 0, null, false);
        Runner.Results results = runner.run(new String[] {"a a b", "a , ? a"});
        int[] numbers = results.numbers();
        assertArrayEquals(new int[] {Runner.SYNTAX_ERROR, 1, 1, 3, 4},
                java.util.Arrays.copyOf(numbers, 5));
        assertEquals(Runner.LEXICAL_ERROR, numbers[5 + 4 * 3]);
        assertEquals("unexpected 'a'", results.messages()[0].split(" Was")[0]);
        assertEquals("Lexical error at line 1, column 5", results.messages()[1].split("[.]")[0]);
    }

    @Test
    void runsOfTheToolDoNotDisturbEachOther() throws Exception {
        int[] expected = parser(generate(LIST, false)).outline();
        Loader.Result broken = generate("void start() : {} { none() }", false);
        assertNull(broken.parser());
        assertTrue(broken.printed().contains("Non-terminal none has not been defined"));
        generate("TOKEN : { <X: \"x\"> } void start() : {} { <X> }", true);
        assertArrayEquals(expected, parser(generate(LIST, false)).outline());
    }

    @Test
    void sequencesOfKindsAreRun() throws Exception {
        String text = """
                options { STATIC = false; USER_TOKEN_MANAGER = true; }
                PARSER_BEGIN(Built) public class Built {}
                class GramspectSequence implements TokenManager {
                  int[] kinds; int at; int end;
                  public Token getNextToken() { return new Token(at < end ? kinds[at++] : 0, ""); }
                  public static Built parser(int[] kinds, int start, int end) {
                    GramspectSequence s = new GramspectSequence();
                    s.kinds = kinds; s.at = start; s.end = end;
                    return new Built(s);
                  }
                }
                PARSER_END(Built)
                TOKEN : { <A: "a"> | <B: "b"> }
                void start() : {} { ( <A> )* <B> <EOF> }
                """;
        Runner runner = parser(Loader.build(text)).runner(new int[0], 0, null, false);
        int[] numbers = runner.runKinds(new int[] {1, 1, 2, 2, 1}, new int[] {0, 3, 4, 5}).numbers();
        assertEquals(Runner.ACCEPTED, numbers[0]);
        int second = 2 + numbers[1];
        assertEquals(Runner.ACCEPTED, numbers[second]);
        assertEquals(Runner.SYNTAX_ERROR, numbers[second + 2 + numbers[second + 1]]);
    }

    @Test
    void aClassThatIsNoParserIsSaidToBeNone() {
        assertEquals("java.lang.Strung", Loader.load("java.lang.Strung", new String[0]).error()
                .replaceAll("^there is no class (\\S+);.*$", "$1"));
    }
}
