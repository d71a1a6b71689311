package org.gramspect.antlr;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.antlr.v4.tool.Grammar;
import org.antlr.v4.tool.LexerGrammar;

/** Loads a grammar file, and the lexer that belongs to it, with the ANTLR tool. */
public final class Loader {
    /** What the tool said, and the grammar; it is null if a message is an error. */
    public record Result(LoadedGrammar grammar, Message[] messages) {}

    private Loader() {}

    /**
     * Loads a combined grammar, or a parser grammar with its lexer.
     *
     * @param file the grammar
     * @param lexer the lexer grammar, or null to look for it beside the grammar
     */
    public static Result load(String file, String lexer) throws IOException {
        Path path = Path.of(file);
        Messages messages = new Messages(file);
        Grammar parser = null;
        LexerGrammar tokens = null;
        GrammarSource source = GrammarSource.parse(path, messages);
        if (source != null && source.isLexer()) {
            messages.error("this is a lexer grammar; name the parser grammar");
        } else if (source != null) {
            if (source.isParser()) {
                tokens = loadLexer(source, lexer, messages);
            }
            if (!messages.haveErrors()) {
                parser = source.process(tokens);
                tokens = source.isParser() ? tokens : parser.getImplicitLexer();
            }
        }
        if (parser != null && tokens == null && !messages.haveErrors()) {
            messages.error("the grammar has no lexer rules");
        }
        boolean failed = messages.haveErrors();
        LoadedGrammar loaded = failed ? null : new LoadedGrammar(parser, tokens);
        return new Result(loaded, messages.all().toArray(Message[]::new));
    }

    private static LexerGrammar loadLexer(GrammarSource parser, String given, Messages messages)
            throws IOException {
        Path path = given == null ? findLexer(parser, messages) : Path.of(given);
        if (path == null) {
            return null;
        }
        Messages ofLexer = new Messages(path.toString());
        GrammarSource source = GrammarSource.parse(path, ofLexer);
        Grammar grammar = null;
        if (source != null && !source.isLexer()) {
            ofLexer.error("this is no lexer grammar");
        } else if (source != null) {
            grammar = source.process(null);
        }
        messages.takeOver(ofLexer);
        return ofLexer.haveErrors() ? null : (LexerGrammar) grammar;
    }

    private static Path findLexer(GrammarSource parser, Messages messages) {
        String vocabulary = parser.tokenVocabulary();
        List<String> names = new ArrayList<>();
        if (vocabulary != null) {
            names.add(vocabulary);
        }
        String name = parser.name();
        names.add(name.endsWith("Parser")
                ? name.substring(0, name.length() - "Parser".length()) + "Lexer"
                : name + "Lexer");
        for (String candidate : names) {
            Path path = parser.path.resolveSibling(candidate + ".g4");
            if (Files.isRegularFile(path)) {
                if (vocabulary == null) {
                    messages.warning("the grammar names no tokenVocab; its tokens are taken from "
                            + path.getFileName());
                }
                return path;
            }
        }
        messages.error("there is no lexer grammar " + String.join(".g4 or ", names)
                + ".g4 beside this parser grammar");
        return null;
    }
}
