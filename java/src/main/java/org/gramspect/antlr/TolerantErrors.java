package org.gramspect.antlr;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import org.antlr.v4.Tool;
import org.antlr.v4.tool.ANTLRMessage;
import org.antlr.v4.tool.ErrorManager;
import org.antlr.v4.tool.ErrorSeverity;
import org.antlr.v4.tool.ErrorType;
import org.antlr.v4.tool.Grammar;

/**
 * Lets the tool go on after errors that do not keep it from making an automaton: it counts them as
 * warnings, as many earlier releases of ANTLR 4 did.
 */
final class TolerantErrors extends ErrorManager {
    /** Errors that concern generated code only: names, labels, attributes and actions. */
    private static final Set<ErrorType> OF_GENERATED_CODE = EnumSet.of(
            ErrorType.UNDEFINED_RULE_IN_NONLOCAL_REF, ErrorType.UNKNOWN_SIMPLE_ATTRIBUTE,
            ErrorType.INVALID_RULE_PARAMETER_REF, ErrorType.UNKNOWN_RULE_ATTRIBUTE,
            ErrorType.UNKNOWN_ATTRIBUTE_IN_SCOPE, ErrorType.ISOLATED_RULE_REF,
            ErrorType.LABEL_CONFLICTS_WITH_RULE, ErrorType.LABEL_CONFLICTS_WITH_TOKEN,
            ErrorType.LABEL_CONFLICTS_WITH_ARG, ErrorType.LABEL_CONFLICTS_WITH_RETVAL,
            ErrorType.LABEL_CONFLICTS_WITH_LOCAL, ErrorType.LABEL_TYPE_CONFLICT,
            ErrorType.RETVAL_CONFLICTS_WITH_ARG, ErrorType.MISSING_RULE_ARGS,
            ErrorType.RULE_HAS_NO_ARGS, ErrorType.ACTION_REDEFINITION, ErrorType.IMPORT_NAME_CLASH,
            ErrorType.CANNOT_FIND_ATTRIBUTE_NAME_IN_DECL, ErrorType.RULE_WITH_TOO_FEW_ALT_LABELS,
            ErrorType.ALT_LABEL_REDEF, ErrorType.ALT_LABEL_CONFLICTS_WITH_RULE,
            ErrorType.ATTRIBUTE_IN_LEXER_ACTION, ErrorType.LABEL_BLOCK_NOT_A_SET,
            ErrorType.ASSIGNMENT_TO_LIST_LABEL,
            ErrorType.RETVAL_CONFLICTS_WITH_RULE, ErrorType.RETVAL_CONFLICTS_WITH_TOKEN,
            ErrorType.ARG_CONFLICTS_WITH_RULE, ErrorType.ARG_CONFLICTS_WITH_TOKEN,
            ErrorType.LOCAL_CONFLICTS_WITH_RULE, ErrorType.LOCAL_CONFLICTS_WITH_TOKEN,
            ErrorType.LOCAL_CONFLICTS_WITH_ARG, ErrorType.LOCAL_CONFLICTS_WITH_RETVAL,
            ErrorType.RESERVED_RULE_NAME, ErrorType.CHANNEL_CONFLICTS_WITH_TOKEN,
            ErrorType.CHANNEL_CONFLICTS_WITH_MODE, ErrorType.MODE_CONFLICTS_WITH_TOKEN,
            ErrorType.TOKEN_CONFLICTS_WITH_COMMON_CONSTANTS,
            ErrorType.CHANNEL_CONFLICTS_WITH_COMMON_CONSTANTS,
            ErrorType.MODE_CONFLICTS_WITH_COMMON_CONSTANTS);

    /**
     * Errors in spite of which an automaton can be made; constructs with a meaning get that of earlier
     * releases.
     */
    private static final Set<ErrorType> OF_AUTOMATA = EnumSet.of(
            ErrorType.REPEATED_PREQUEL, ErrorType.TOKEN_NAMES_MUST_START_UPPER,
            ErrorType.ERROR_READING_TOKENS_FILE, ErrorType.TOKENS_FILE_SYNTAX_ERROR,
            ErrorType.CANNOT_FIND_TOKENS_FILE_REFD_IN_GRAMMAR,
            ErrorType.CANNOT_FIND_IMPORTED_GRAMMAR, ErrorType.MODE_NOT_IN_LEXER,
            ErrorType.IMPLICIT_STRING_DEFINITION,
            ErrorType.MODE_WITHOUT_RULES, ErrorType.LEXER_COMMAND_PLACEMENT_ISSUE,
            ErrorType.INVALID_LITERAL_IN_LEXER_SET, ErrorType.EPSILON_LR_FOLLOW,
            ErrorType.EPSILON_CLOSURE, ErrorType.EOF_CLOSURE, ErrorType.INVALID_LEXER_COMMAND,
            ErrorType.INVALID_ESCAPE_SEQUENCE, ErrorType.CHANNELS_BLOCK_IN_COMBINED_GRAMMAR,
            ErrorType.CHANNELS_BLOCK_IN_PARSER_GRAMMAR,
            ErrorType.EMPTY_STRINGS_AND_SETS_NOT_ALLOWED,
            ErrorType.CONSTANT_VALUE_IS_NOT_A_RECOGNIZED_TOKEN_NAME,
            ErrorType.CONSTANT_VALUE_IS_NOT_A_RECOGNIZED_MODE_NAME,
            ErrorType.CONSTANT_VALUE_IS_NOT_A_RECOGNIZED_CHANNEL_NAME);

    /** Warnings and errors about repetitions that can match the empty string or the end of the input. */
    private static final Set<ErrorType> EMPTY_ROUNDS = EnumSet.of(
            ErrorType.EPSILON_CLOSURE, ErrorType.EPSILON_LR_FOLLOW, ErrorType.EOF_CLOSURE);

    TolerantErrors(Tool tool) {
        super(tool);
        setFormat("antlr");
    }

    @Override
    public void emit(ErrorType type, ANTLRMessage message) {
        if (isTolerated(type)) {
            errorTypes.add(type);
            warnings++;
            tool.warning(message);
        } else {
            super.emit(type, message);
        }
    }

    /** Whether a repetition in a grammar that was processed can match the empty string or EOF. */
    static boolean hasEmptyRounds(Grammar grammar) {
        return !Collections.disjoint(grammar.tool.errMgr.errorTypes, EMPTY_ROUNDS);
    }

    /** Whether a message is an error of this release that the tool may go on after. */
    static boolean isTolerated(ErrorType type) {
        boolean isError = type.severity == ErrorSeverity.ERROR
                || type.severity == ErrorSeverity.ERROR_ONE_OFF;
        return isError && (OF_GENERATED_CODE.contains(type) || OF_AUTOMATA.contains(type));
    }
}
