package org.gramspect.antlr;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.antlr.v4.parse.ANTLRParser;
import org.antlr.v4.runtime.Lexer;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.tool.Grammar;
import org.antlr.v4.tool.LexerGrammar;
import org.antlr.v4.tool.ast.ActionAST;
import org.antlr.v4.tool.ast.GrammarAST;

/**
 * Actions of lexer rules that do what a lexer command does: {@code skip();}, {@code channel = HIDDEN;},
 * {@code setType(ID);} and their like, as grammars from before the commands have them, in the spelling of any
 * target language. An action is understood as a whole or not at all.
 */
final class LexerActions {
    /** The effect of an action on a lexer. */
    interface Step {
        void run(Lexer lexer);
    }

    private static final Pattern CALL = Pattern.compile(
            "(?:(?:this|self|p|l|_?lexer)(?:\\.|->))?(\\w+)\\s*\\(\\s*([\\w.:]*)\\s*\\)");
    private static final Pattern ASSIGNMENT = Pattern.compile(
            "(?:(?:this|self|p|l|_?lexer)(?:\\.|->))?[$_]?(\\w+)\\s*=\\s*([\\w.:]+)");
    private static final Pattern CONSTANT = Pattern.compile("(\\w+)\\s*=\\s*(\\d+)");

    /** Stands for channels whose number is not known: it may be any that the parser does not read. */
    private static final int OTHER_CHANNEL = Token.MIN_USER_CHANNEL_VALUE;

    private final Grammar parser;
    private final LexerGrammar lexer;
    private final List<String> modes;
    private final Map<String, Integer> constants = new HashMap<>();
    private final Map<Integer, List<Step>> known = new HashMap<>();

    /** The understood actions of a lexer; the names of token types may be the parser's. */
    LexerActions(Grammar parser, LexerGrammar lexer) {
        this.parser = parser;
        this.lexer = lexer;
        this.modes = List.copyOf(lexer.modes.keySet());
        for (GrammarAST action : lexer.ast.getNodesWithType(ANTLRParser.AT)) {
            GrammarAST code = (GrammarAST) action.getChild(action.getChildCount() - 1);
            CONSTANT.matcher(code.getText()).results().forEach(found ->
                    constants.putIfAbsent(found.group(1), Integer.valueOf(found.group(2))));
        }
        for (Map.Entry<ActionAST, Integer> action : lexer.lexerActions.entrySet()) {
            List<Step> steps = steps(action.getKey().getText());
            if (steps != null) {
                known.put(action.getValue(), steps);
            }
        }
    }

    /** Does what an action says; false if it is not understood. */
    boolean run(int action, Lexer lexer) {
        List<Step> steps = known.get(action);
        if (steps == null) {
            return false;
        }
        steps.forEach(step -> step.run(lexer));
        return true;
    }

    /** Whether an action, with or without its braces, is understood. */
    boolean understands(String text) {
        return steps(text) != null;
    }

    private List<Step> steps(String text) {
        String code = text.strip();
        if (code.startsWith("{") && code.endsWith("}")) {
            code = code.substring(1, code.length() - 1);
        }
        List<Step> steps = new ArrayList<>();
        for (String statement : code.split(";")) {
            if (!statement.isBlank()) {
                Step step = step(statement.strip());
                if (step == null) {
                    return null;
                }
                steps.add(step);
            }
        }
        return steps;
    }

    private Step step(String statement) {
        Matcher call = CALL.matcher(statement);
        if (call.matches()) {
            return command(call.group(1), call.group(2));
        }
        Matcher assignment = ASSIGNMENT.matcher(statement);
        return assignment.matches() ? command(assignment.group(1), assignment.group(2)) : null;
    }

    private Step command(String name, String argument) {
        String lower = name.toLowerCase().replace("_", "");
        String command = lower.startsWith("set") ? lower.substring("set".length()) : lower;
        if (argument.isEmpty()) {
            return switch (command) {
                case "skip" -> Lexer::skip;
                case "more" -> Lexer::more;
                case "popmode" -> Lexer::popMode;
                default -> null;
            };
        }
        String value = argument.substring(Math.max(
                argument.lastIndexOf('.'), argument.lastIndexOf(':')) + 1);
        Integer number = switch (command) {
            case "channel" -> channel(value);
            case "type" -> type(value);
            case "mode", "pushmode" -> mode(value);
            default -> null;
        };
        if (number == null) {
            return null;
        }
        return switch (command) {
            case "channel" -> lexer -> lexer.setChannel(number);
            case "type" -> lexer -> lexer.setType(number);
            case "mode" -> lexer -> lexer.mode(number);
            default -> lexer -> lexer.pushMode(number);
        };
    }

    private Integer channel(String name) {
        int declared = lexer.getChannelValue(name);
        if (declared >= Token.MIN_USER_CHANNEL_VALUE) {
            return declared;
        }
        Integer number = number(name);
        if (number != null) {
            return number;
        }
        boolean isDefault = name.toUpperCase().startsWith("DEFAULT");
        boolean isHidden = name.equalsIgnoreCase("hidden");
        return isDefault ? Token.DEFAULT_CHANNEL : isHidden ? Token.HIDDEN_CHANNEL : OTHER_CHANNEL;
    }

    private Integer type(String name) {
        int type = parser.getTokenType(name);
        return type != Token.INVALID_TYPE ? Integer.valueOf(type) : number(name);
    }

    private Integer mode(String name) {
        int mode = modes.indexOf(name.equals("DEFAULT_MODE") ? modes.get(0) : name);
        return mode >= 0 ? Integer.valueOf(mode) : number(name);
    }

    private Integer number(String name) {
        if (name.matches("\\d{1,9}")) {
            return Integer.valueOf(name);
        }
        return constants.get(name);
    }
}
