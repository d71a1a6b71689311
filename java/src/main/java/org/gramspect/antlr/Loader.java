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
     * @param directory the working directory, which file names are relative to
     */
    public static Result load(String file, String lexer, String directory) throws IOException {
        Messages messages = new Messages(file);
        Path folder = Path.of(directory);
        GrammarSource source = GrammarSource.parse(Path.of(file), folder, messages);
        if (source != null && source.isLexer()) {
            messages.error("this is a lexer grammar; name the parser grammar");
        }
        GrammarSource lexerSource = null;
        LexerGrammar tokens = null;
        if (!messages.haveErrors() && source.isParser()) {
            lexerSource = lexerSource(source, lexer, folder, messages);
            tokens = lexerSource == null ? null : (LexerGrammar) lexerSource.process(null);
        }
        Grammar parser = messages.haveErrors() ? null : source.process(tokens);
        if (parser != null && lexerSource == null) {
            tokens = parser.getImplicitLexer();
            if (tokens == null && !messages.haveErrors()) {
                messages.error("the grammar has no lexer rules");
            }
        }
        LoadedGrammar loaded = messages.haveErrors()
                ? null
                : new LoadedGrammar(parser, source, tokens, lexerSource);
        return new Result(loaded, messages.all().toArray(Message[]::new));
    }

    /** Makes a parser grammar over token types from its text; it has no lexer. */
    public static Result build(String text) throws IOException {
        Path nowhere = Path.of("grammar.g4");
        Messages messages = new Messages(nowhere.toString());
        GrammarSource source =
                GrammarSource.parse(nowhere, text, nowhere.toAbsolutePath().getParent(), messages);
        Grammar parser = source == null ? null : source.process(null);
        LoadedGrammar loaded = messages.haveErrors()
                ? null
                : new LoadedGrammar(parser, source, null, null);
        return new Result(loaded, messages.all().toArray(Message[]::new));
    }

    private static GrammarSource lexerSource(
            GrammarSource parser, String given, Path folder, Messages messages)
            throws IOException {
        Path path = given == null ? findLexer(parser, folder, messages) : Path.of(given);
        if (path == null) {
            return null;
        }
        // The messages of the lexer's own tool, which keep coming when it is processed.
        GrammarSource source = GrammarSource.parse(path, folder, messages.about(path.toString()));
        if (source != null && !source.isLexer()) {
            messages.about(path.toString()).error("this is no lexer grammar");
        }
        return source;
    }

    private static Path findLexer(GrammarSource parser, Path folder, Messages messages) {
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
            if (Files.isRegularFile(folder.resolve(path))) {
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
