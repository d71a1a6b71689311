"""The parser of a small language of assignments, for tests with lexers of their own."""

PARSER = r'''
    def p_start(p):
        """start :
                 | start assign ';'"""

    def p_assign(p):
        """assign : NAME '=' sum"""

    def p_sum(p):
        """sum : sum PLUS term
               | term"""

    def p_term(p):
        """term : NUMBER
                | FUNCTION '(' sum ')'
                | NAME
                | TEXT
                | '(' sum ')'"""

    lexer = lex.lex()
    parser = yacc.yacc(write_tables=False, debug=False)
'''
