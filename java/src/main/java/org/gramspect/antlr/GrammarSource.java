package org.gramspect.antlr;

import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.antlr.runtime.ANTLRStringStream;
import org.antlr.runtime.CharStream;
import org.antlr.v4.Tool;
import org.antlr.v4.analysis.LeftRecursionDetector;
import org.antlr.v4.automata.ParserATNFactory;
import org.antlr.v4.parse.ANTLRParser;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.semantics.SemanticPipeline;
import org.antlr.v4.tool.ErrorType;
import org.antlr.v4.tool.Grammar;
import org.antlr.v4.tool.GrammarTransformPipeline;
import org.antlr.v4.tool.LexerGrammar;
import org.antlr.v4.tool.ast.GrammarAST;
import org.antlr.v4.tool.ast.GrammarASTErrorNode;
import org.antlr.v4.tool.ast.GrammarRootAST;

/**
 * A grammar file and its syntax tree.
 *
 * <p>The tool rewrites the trees that it works on (left recursion, sets of tokens), so whoever wants
 * to know what the user wrote parses the file once more.
 */
final class GrammarSource {
    /**
     * No code is generated, but the tool loads the templates of a target language; Java's do for every
     * grammar.
     */
    private static final String[] TOOL_ARGUMENTS = {"-Dlanguage=Java"};

    final Path path;
    final OurTool tool;
    final GrammarRootAST root;
    private final String text;

    private GrammarSource(Path path, String text, OurTool tool, GrammarRootAST root) {
        this.path = path;
        this.text = text;
        this.tool = tool;
        this.root = root;
    }

    /**
     * Parses a file; null if that fails, and then the messages say why.
     *
     * @param folder the working directory: a JVM knows only the one that it was started in
     */
    static GrammarSource parse(Path path, Path folder, Messages messages) throws IOException {
        return parse(path, read(folder.resolve(path)), folder, messages);
    }

    /** Parses the text of a file, which need not exist. */
    static GrammarSource parse(Path path, String text, Path folder, Messages messages) {
        Messages said = messages.apart();
        GrammarSource source = parseAsIs(path, text, text, folder, said);
        if (source == null) {
            Messages saidOfOlder = messages.apart();
            String modern = OlderSyntax.modernized(text, saidOfOlder);
            source = modern.equals(text)
                    ? null
                    : parseAsIs(path, text, modern, folder, saidOfOlder);
            said = source == null ? said : saidOfOlder;
        }
        messages.join(said);
        return source;
    }

    private static GrammarSource parseAsIs(
            Path path, String written, String text, Path folder, Messages messages) {
        OurTool tool = new OurTool(folder);
        tool.addListener(messages);
        // A stream without a name: the tool then accepts any file name for any grammar name.
        GrammarRootAST root = tool.parse(path.toString(), new ANTLRStringStream(text));
        // A tree with errors can be a plain error node under the type that is asked for.
        boolean broken = root == null || (GrammarAST) root instanceof GrammarASTErrorNode;
        if (broken || root.hasErrors || messages.haveErrors()) {
            if (!messages.haveErrors()) {
                messages.error("this is no ANTLR 4 grammar");
            }
            return null;
        }
        return new GrammarSource(path, written, tool, root);
    }

    private static String read(Path path) throws IOException {
        byte[] bytes = Files.readAllBytes(path);
        String text;
        try {
            text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException notUtf8) {
            text = new String(bytes, StandardCharsets.ISO_8859_1);
        }
        return text.startsWith("\uFEFF") ? text.substring(1) : text;
    }

    /** The same text with a tree that the tool has not touched. */
    GrammarSource again() {
        return parse(path, text, tool.folder, new Messages(path.toString()));
    }

    boolean isLexer() {
        return root.grammarType == ANTLRParser.LEXER;
    }

    boolean isParser() {
        return root.grammarType == ANTLRParser.PARSER;
    }

    String name() {
        return root.getGrammarName();
    }

    /** The value of the option {@code tokenVocab} without folder and quotes, or null. */
    String tokenVocabulary() {
        GrammarAST value = Tool.findOptionValueAST(root, "tokenVocab");
        if (value == null) {
            return null;
        }
        String name = value.getText().replace("'", "");
        return name.substring(name.lastIndexOf('/') + 1);
    }

    /** Runs the tool on the grammar, without code generation. The lexer, if any, gives the tokens. */
    Grammar process(LexerGrammar lexer) {
        Grammar grammar = lexer == null
                ? tool.createGrammar(root)
                : new ParserGrammar(tool, root, lexer);
        grammar.fileName = path.toString();
        tool.process(grammar, false);
        return grammar;
    }

    /**
     * The tool, tolerant of what other releases accept.
     *
     * <p>It looks for imported grammars beside the one that imports them before anywhere else: the tool's
     * own first look is at the current folder, where the file may be that of another version.
     */
    static final class OurTool extends Tool {
        final Path folder;

        private OurTool(Path folder) {
            super(TOOL_ARGUMENTS);
            this.folder = folder;
            errMgr = new TolerantErrors(this);
        }

        @Override
        public GrammarRootAST parse(String fileName, CharStream in) {
            GrammarRootAST root = super.parse(fileName, in);
            if (root != null && !((GrammarAST) root instanceof GrammarASTErrorNode)) {
                OlderLiterals.rewrite(root, (literal, escape) -> errMgr.grammarError(
                        ErrorType.INVALID_ESCAPE_SEQUENCE, in.getSourceName(), literal, escape));
            }
            return root;
        }

        /** The lexer of a combined grammar gets its modes and channels, which the tool leaves behind. */
        @Override
        public void processNonCombinedGrammar(Grammar grammar, boolean generate) {
            if (grammar instanceof LexerGrammar lexer && lexer.implicitLexerOwner != null) {
                GrammarRootAST owner = lexer.implicitLexerOwner.ast;
                move(owner, grammar, ANTLRParser.CHANNELS,
                        ErrorType.CHANNELS_BLOCK_IN_COMBINED_GRAMMAR);
                move(owner, grammar, ANTLRParser.MODE, ErrorType.MODE_NOT_IN_LEXER);
                GrammarTransformPipeline.setGrammarPtr(grammar, grammar.ast);
            }
            if (grammar.isLexer() || generate) {
                super.processNonCombinedGrammar(grammar, generate);
            } else {
                processParser(grammar);
            }
        }

        /**
         * What the tool does with the grammar of a parser, all but the lookahead of every decision: only
         * generated code needs it, and it is a third of the work.
         */
        private void processParser(Grammar grammar) {
            boolean broken = grammar.ast == null || grammar.ast.hasErrors || checkForRuleIssues(grammar);
            if (broken) {
                return;
            }
            int errors = errMgr.getNumErrors();
            new SemanticPipeline(grammar).process();
            if (errMgr.getNumErrors() == errors) {
                grammar.atn = new ParserATNFactory(grammar).createATN();
                new LeftRecursionDetector(grammar, grammar.atn).check();
            }
        }

        private void move(GrammarRootAST owner, Grammar lexer, int type, ErrorType complaint) {
            for (GrammarAST part : owner.getAllChildrenWithType(type)) {
                owner.deleteChild(part);
                int place = type == ANTLRParser.MODE ? lexer.ast.getChildCount() : 1;
                lexer.ast.insertChild(place, part);
                lexer.ast.freshenParentAndChildIndexes();
                errMgr.grammarError(complaint, lexer.fileName, part.getToken(),
                        part.getChildCount() > 0 ? part.getChild(0).getText() : "");
            }
        }

        @Override
        public File getImportedGrammarFile(Grammar importing, String name) {
            Path beside = folder.resolve(importing.fileName).resolveSibling(name);
            return Files.isRegularFile(beside) ? beside.toFile() : super.getImportedGrammarFile(importing, name);
        }

        /** The imported grammar, with its path spelled as that of the importing one is. */
        @Override
        public Grammar loadImportedGrammar(Grammar importing, GrammarAST name) throws IOException {
            Grammar imported = super.loadImportedGrammar(importing, name);
            if (imported != null) {
                Path file = Path.of(imported.fileName);
                Path beside = Path.of(importing.fileName).resolveSibling(file.getFileName());
                if (folder.resolve(beside).equals(file)) {
                    imported.fileName = beside.toString();
                }
            }
            return imported;
        }
    }

    /** Takes the token types from the lexer grammar itself, not from a generated .tokens file. */
    private static final class ParserGrammar extends Grammar {
        private final LexerGrammar lexer;

        ParserGrammar(Tool tool, GrammarRootAST root, LexerGrammar lexer) {
            super(tool, root);
            this.lexer = lexer;
            GrammarTransformPipeline.setGrammarPtr(this, root);
        }

        @Override
        public void importTokensFromTokensFile() {
            importVocab(lexer);
            GrammarAST rules = (GrammarAST) ast.getFirstChildWithType(ANTLRParser.RULES);
            for (GrammarAST node : rules.getNodesWithType(ANTLRParser.STRING_LITERAL)) {
                String literal = node.getText();
                if (getTokenType(literal) == Token.INVALID_TYPE) {
                    defineStringLiteral(literal);
                    tool.errMgr.grammarError(
                            ErrorType.IMPLICIT_STRING_DEFINITION, fileName, node.token, literal);
                }
            }
        }
    }
}
