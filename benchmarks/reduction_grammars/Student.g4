// The language of fixtures/student/Small.g4 without its faults, for benchmarks/reduction.py.
grammar Student;

start_ : declaration* 'begin' statements 'end' '.' EOF ;
declaration
    : 'var' names ':' kind ';'
    | 'procedure' NAME '(' parameters? ')' ';' body ';'
    | 'function' NAME '(' parameters? ')' ':' kind ';' body ';'
    ;
names : NAME (',' NAME)* ;
parameters : parameter (';' parameter)* ;
parameter : names ':' kind ;
kind : 'integer' | 'boolean' | 'array' '[' NUMBER ']' 'of' 'integer' ;
body : 'begin' statements 'end' ;
statements : statement (';' statement)* ;
statement
    : NAME ('[' expression ']')? ':=' expression
    | call
    | 'if' expression 'then' statement ('else' statement)?
    | 'while' expression 'do' statement
    | 'return' expression?
    | 'write' arguments
    | body
    ;
call : NAME '(' arguments? ')' ;
arguments : expression (',' expression)* ;
expression : simple (('=' | '<' | '>') simple)? ;
simple : term (('+' | '-' | 'or') term)* ;
term : factor (('*' | '/' | 'and') factor)* ;
factor
    : NUMBER
    | 'true'
    | 'false'
    | '-' factor
    | NAME ('[' expression ']')?
    | call
    | '(' expression ')'
    ;

NAME : [a-z]+ ;
NUMBER : [0-9]+ ;
SPACE : [ \t\r\n]+ -> skip ;
