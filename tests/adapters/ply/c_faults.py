"""The faults that are seeded into pycparser's grammar of C."""

from faults import Fault

FAULTS = (
    # a symbol is missing
    Fault(
        "do-without-semicolon",
        "p_iteration_statement_2",
        "DO pragmacomp_or_statement WHILE LPAREN expression RPAREN SEMI",
        "DO pragmacomp_or_statement WHILE LPAREN expression RPAREN",
    ),
    Fault(
        "members-without-comma",
        "p_struct_declarator_list",
        "struct_declarator_list COMMA struct_declarator",
        "struct_declarator_list struct_declarator",
    ),
    # a symbol too many
    Fault(
        "while-with-semicolon",
        "p_iteration_statement_1",
        "WHILE LPAREN expression RPAREN pragmacomp_or_statement",
        "WHILE LPAREN expression RPAREN SEMI pragmacomp_or_statement",
    ),
    # two symbols change places
    Fault(
        "sizeof-type-before-parenthesis",
        "p_unary_expression_3",
        "SIZEOF LPAREN type_name RPAREN",
        "SIZEOF type_name LPAREN RPAREN",
    ),
    # a wrong token
    Fault(
        "conditional-with-semicolon",
        "p_conditional_expression",
        "binary_expression CONDOP expression COLON conditional_expression",
        "binary_expression CONDOP expression SEMI conditional_expression",
    ),
    Fault(
        "enumerator-with-colon",
        "p_enumerator",
        "ID EQUALS constant_expression",
        "ID COLON constant_expression",
    ),
    Fault(
        "bitfield-with-equals",
        "p_struct_declarator_2",
        "declarator COLON constant_expression",
        "declarator EQUALS constant_expression",
    ),
    Fault(
        "ellipsis-behind-semicolon",
        "p_parameter_type_list",
        "parameter_list COMMA ELLIPSIS",
        "parameter_list SEMI ELLIPSIS",
    ),
    # an option made mandatory
    Fault(
        "for-needs-initialization",
        "p_iteration_statement_3",
        "FOR LPAREN expression_opt SEMI expression_opt SEMI expression_opt RPAREN "
        "pragmacomp_or_statement",
        "FOR LPAREN expression SEMI expression_opt SEMI expression_opt RPAREN "
        "pragmacomp_or_statement",
    ),
    Fault(
        "pointer-needs-qualifier",
        "p_pointer",
        "TIMES type_qualifier_list_opt pointer",
        "TIMES type_qualifier_list pointer",
    ),
    # a non-terminal that derives too little
    Fault(
        "case-of-constants-only",
        "p_labeled_statement_2",
        "CASE constant_expression COLON pragmacomp_or_statement",
        "CASE constant COLON pragmacomp_or_statement",
    ),
    Fault(
        "cast-of-unary-only",
        "p_cast_expression_2",
        "LPAREN type_name RPAREN cast_expression",
        "LPAREN type_name RPAREN postfix_expression",
    ),
    Fault(
        "index-of-constants-only",
        "p_designator",
        "LBRACKET constant_expression RBRACKET",
        "LBRACKET constant RBRACKET",
    ),
    # a non-terminal that derives too much
    Fault(
        "goto-of-expressions",
        "p_jump_statement_1",
        "GOTO ID SEMI",
        "GOTO expression SEMI",
    ),
    # an alternative left out
    Fault(
        "no-declaration-in-for",
        "p_iteration_statement_4",
        "FOR LPAREN declaration expression_opt SEMI expression_opt RPAREN pragmacomp_or_statement",
        None,
    ),
    Fault("no-return-without-value", "p_jump_statement_4", "RETURN SEMI", None),
    Fault(
        "no-else",
        "p_selection_statement_2",
        "IF LPAREN expression RPAREN statement ELSE pragmacomp_or_statement",
        None,
    ),
    Fault("no-postfix-decrement", "p_postfix_expression_5", "postfix_expression MINUSMINUS", None),
    Fault(
        "no-trailing-comma",
        "p_initializer_2",
        "brace_open initializer_list COMMA brace_close",
        None,
    ),
    Fault(
        "no-call-without-arguments",
        "p_postfix_expression_3",
        "postfix_expression LPAREN RPAREN",
        None,
    ),
)
