package org.gramspect.antlr;

import static org.antlr.v4.parse.ANTLRParser.ACTION;
import static org.antlr.v4.parse.ANTLRParser.AT;
import static org.antlr.v4.parse.ANTLRParser.MODE;
import static org.antlr.v4.parse.ANTLRParser.RULE;
import static org.antlr.v4.parse.ANTLRParser.RULES;
import static org.antlr.v4.parse.ANTLRParser.SEMPRED;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.antlr.runtime.TokenStream;
import org.antlr.v4.Tool;
import org.antlr.v4.runtime.atn.ATN;
import org.antlr.v4.runtime.atn.ATNDeserializer;
import org.antlr.v4.runtime.atn.ATNSerializer;
import org.antlr.v4.tool.Grammar;
import org.antlr.v4.tool.LexerGrammar;
import org.antlr.v4.tool.Rule;
import org.antlr.v4.tool.ast.GrammarAST;
import org.gramspect.buffers.Numbers;

/** A grammar as the ANTLR tool has loaded it, with everything that Python reads once, after loading. */
public final class LoadedGrammar {
    /**
     * Code in the target language, which an interpreter cannot run: how much there is, and where the first
     * is.
     */
    public record ForeignCode(String kind, int count, String file, int line, int column) {}

    final Grammar grammar;
    final LexerGrammar lexer;
    final ElementStates states;
    final int nElements;
    private final List<String> files = new ArrayList<>();
    private final Map<String, Written> written = new HashMap<>();
    private final LexerActions lexerActions;
    private final Map<String, ForeignCode> foreign = new HashMap<>();
    private final int[] outline;

    /** A rule as the user wrote it. */
    private record Written(GrammarAST rule, int file, TokenStream tokens) {}

    /** A processed grammar and its lexer (null for one over token types), with what they came from. */
    LoadedGrammar(
            Grammar grammar, GrammarSource source, LexerGrammar lexer, GrammarSource lexerSource)
            throws IOException {
        this.grammar = grammar;
        this.lexer = lexer;
        this.lexerActions = lexer == null ? null : new LexerActions(grammar, lexer);
        readAgain(grammar, source);
        if (lexerSource != null) {
            readAgain(lexer, lexerSource);
        }
        this.states = new ElementStates(grammar);
        Outline outline = new Outline(grammar);
        for (Rule rule : grammar.rules.values()) {
            Written text = written.get(rule.name);
            states.addRule(rule, outline.addRule(rule.index, text.rule, text.file, text.tokens));
        }
        this.outline = outline.toArray();
        this.nElements = outline.elements();
    }

    /** Parses the files of a grammar once more, for what the tool has rewritten in its trees. */
    private void readAgain(Grammar loaded, GrammarSource source) throws IOException {
        readAgainOne(loaded, source.again());
        if (loaded.getAllImportedGrammars() != null) {
            for (Grammar part : loaded.getAllImportedGrammars()) {
                Messages known = new Messages(part.fileName);
                Path path = Path.of(part.fileName);
                readAgainOne(part, GrammarSource.parse(path, source.tool.folder, known));
            }
        }
    }

    private void readAgainOne(Grammar part, GrammarSource source) {
        int file = files.size();
        files.add(part.fileName);
        List<GrammarAST> parents = new ArrayList<>(source.root.getAllChildrenWithType(MODE));
        parents.add(0, (GrammarAST) source.root.getFirstChildWithType(RULES));
        for (GrammarAST parent : parents) {
            for (GrammarAST rule : parent.getAllChildrenWithType(RULE)) {
                String name = rule.getChild(0).getText();
                written.putIfAbsent(name, new Written(rule, file, source.root.tokenStream));
                String where = Grammar.isTokenName(name) ? "lexer" : "parser";
                noteAll(where + " predicate", part, rule.getNodesWithType(SEMPRED));
                noteAll(where + " action", part, rule.getNodesWithType(ACTION).stream()
                        .filter(action -> action.getParent().getType() != AT)
                        .filter(action -> !Grammar.isTokenName(name)
                                || !lexerActions.understands(action.getText()))
                        .toList());
            }
        }
        noteMembers(part, source);
    }

    private void noteMembers(Grammar part, GrammarSource source) {
        for (GrammarAST action : source.root.getAllChildrenWithType(AT)) {
            if (Trees.children(action).stream().anyMatch(c -> c.getText().equals("members"))) {
                note("members", part, (GrammarAST) action.getChild(0));
            }
        }
        GrammarAST base = Tool.findOptionValueAST(source.root, "superClass");
        if (base != null) {
            note("superClass", part, base);
        }
    }

    private void noteAll(String kind, Grammar part, List<GrammarAST> nodes) {
        nodes.forEach(node -> note(kind, part, node));
    }

    private void note(String kind, Grammar part, GrammarAST node) {
        int line = node.getToken().getLine();
        ForeignCode first = new ForeignCode(
                kind, 1, part.fileName, line, Trees.column(node.getToken()));
        foreign.merge(kind, first, (known, more) -> new ForeignCode(
                kind, known.count + 1, known.file, known.line, known.column));
    }

    /** ANTLR's own object for the parser grammar. */
    public Grammar parserGrammar() {
        return grammar;
    }

    /** ANTLR's own object for the lexer grammar; null for a grammar over token types. */
    public LexerGrammar lexerGrammar() {
        return lexer;
    }

    public String name() {
        return grammar.name;
    }

    public String[] files() {
        return files.toArray(String[]::new);
    }

    public String[] ruleNames() {
        return grammar.getRuleNames();
    }

    /** See {@link Outline}. */
    public int[] outline() {
        return outline;
    }

    public int elementCount() {
        return nElements;
    }

    /**
     * The elements of the user's rules for pairs of an ATN state and the type of the token that the parser
     * reads there; -1 where there is none.
     */
    public int[] elements(int[] statesAndTypes) {
        int[] found = new int[statesAndTypes.length / 2];
        for (int i = 0; i < found.length; i++) {
            found[i] = states.element(statesAndTypes[2 * i], statesAndTypes[2 * i + 1]);
        }
        return found;
    }

    /** What a recorder in a running program sees of the parser. */
    public Places places() throws ReflectiveOperationException {
        return new Places(automaton());
    }

    /** The names of the token types from 1; null for a token that is only written as a literal. */
    public String[] tokenNames() {
        int n = grammar.getMaxTokenType();
        String[] names = new String[n];
        for (int type = 1; type <= n; type++) {
            names[type - 1] = grammar.getVocabulary().getSymbolicName(type);
        }
        return names;
    }

    /** The literals, with quotes, of the token types from 1; null for those that have none. */
    public String[] tokenLiterals() {
        int n = grammar.getMaxTokenType();
        String[] literals = new String[n];
        for (int type = 1; type <= n; type++) {
            literals[type - 1] = grammar.getVocabulary().getLiteralName(type);
        }
        return literals;
    }

    /**
     * Where the token types from 1 are defined, five numbers each: file, line, column, end line, end
     * column. The file is -1 for those that no rule of the lexer makes.
     */
    public int[] tokenSpans() {
        Numbers spans = new Numbers();
        for (String name : tokenNames()) {
            Written rule = name == null ? null : written.get(name);
            if (rule == null) {
                spans.addAll(-1, 0, 0, 0, 0);
            } else {
                spans.add(rule.file);
                spans.addAll(Trees.span(((GrammarAST) rule.rule.getChild(0)).getToken()));
            }
        }
        return spans.toArray();
    }

    /** The file that a rule was read from; null for rules that ANTLR has made. */
    String fileOfRule(String name) {
        Written rule = written.get(name);
        return rule == null ? null : files.get(rule.file);
    }

    /** Whether a repetition of the parser can match the empty string. */
    boolean parserHasEmptyRounds() {
        return TolerantErrors.hasEmptyRounds(grammar);
    }

    LexerActions lexerActions() {
        return lexerActions;
    }

    public ForeignCode[] foreignCode() {
        return foreign.values().toArray(ForeignCode[]::new);
    }

    /** A runner for this grammar; {@code letters} is "", "upper" or "lower". */
    public Runner runner(int startRule, String letters, boolean allowTrailing) {
        TextLexer.Letters which = switch (letters) {
            case "upper" -> TextLexer.Letters.UPPER;
            case "lower" -> TextLexer.Letters.LOWER;
            default -> TextLexer.Letters.AS_THEY_ARE;
        };
        return new Runner(this, startRule, which, allowTrailing);
    }

    /** The automaton with the flags that interpreters need, which serialization sets. */
    ATN automaton() {
        return new ATNDeserializer().deserialize(
                ATNSerializer.getSerialized(grammar.atn).toArray());
    }
}
