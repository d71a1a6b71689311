// A large part of C, for the inputs of benchmarks/reduction.py. Type names are those of C itself, and
// names that end in _t.
grammar C;

start_ : external* EOF ;

external : function | declaration | assertion | ';' | PRAGMA ;

function : specifier+ declarator block ;

declaration : specifier+ (initialized (',' initialized)*)? ';' ;
assertion : '_Static_assert' '(' conditional (',' STRING+)? ')' ';' ;

specifier
    : 'typedef' | 'extern' | 'static' | 'register' | 'auto' | 'inline' | '_Noreturn' | '_Thread_local'
    | 'const' | 'volatile' | 'restrict'
    | 'void' | 'char' | 'short' | 'int' | 'long' | 'float' | 'double' | 'signed' | 'unsigned' | '_Bool'
    | '_Alignas' '(' (typeName | conditional) ')'
    | '_Atomic' '(' typeName ')'
    | record | enumeration | TYPE
    ;

record : ('struct' | 'union') (NAME | NAME? '{' member* '}') ;
member : specifier+ (field (',' field)*)? ';' | assertion | PRAGMA | ';' ;
field : declarator (':' conditional)? | ':' conditional ;
enumeration : 'enum' (NAME | NAME? '{' enumerator (',' enumerator)* ','? '}') ;
enumerator : NAME ('=' conditional)? ;

initialized : declarator ('=' initializer)? ;
declarator : pointer* direct ;
pointer : '*' ('const' | 'volatile' | 'restrict')* ;
direct
    : NAME
    | '(' declarator ')'
    | direct '[' ('static' | 'const')* assignment? ']'
    | direct '(' parameters? ')'
    ;
parameters : parameter (',' parameter)* (',' '...')? ;
parameter : specifier+ (declarator | abstractDeclarator)? ;
abstractDeclarator : pointer+ abstractDirect? | abstractDirect ;
abstractDirect
    : '(' abstractDeclarator ')'
    | '[' assignment? ']'
    | abstractDirect '[' assignment? ']'
    | abstractDirect '(' parameters? ')'
    ;
typeName : specifier+ abstractDeclarator? ;

initializer : assignment | '{' (entry (',' entry)* ','?)? '}' ;
entry : (designator+ '=')? initializer ;
designator : '[' conditional ']' | '.' NAME ;

block : '{' item* '}' ;
item : declaration | assertion | statement ;
statement
    : block
    | expression? ';'
    | NAME ':' statement
    | 'case' conditional ':' statement
    | 'default' ':' statement
    | 'if' '(' expression ')' statement ('else' statement)?
    | 'switch' '(' expression ')' statement
    | 'while' '(' expression ')' statement
    | 'do' statement 'while' '(' expression ')' ';'
    | 'for' '(' (declaration | expression? ';') expression? ';' expression? ')' statement
    | 'goto' NAME ';' | 'continue' ';' | 'break' ';'
    | 'return' expression? ';'
    | PRAGMA
    ;

expression : assignment (',' assignment)* ;
assignment
    : conditional
    | unary ('=' | '*=' | '/=' | '%=' | '+=' | '-=' | '<<=' | '>>=' | '&=' | '^=' | '|=') assignment
    ;
conditional : binary ('?' expression ':' conditional)? ;
binary
    : binary ('*' | '/' | '%') binary
    | binary ('+' | '-') binary
    | binary ('<<' | '>>') binary
    | binary ('<' | '>' | '<=' | '>=') binary
    | binary ('==' | '!=') binary
    | binary '&' binary
    | binary '^' binary
    | binary '|' binary
    | binary '&&' binary
    | binary '||' binary
    | cast
    ;
cast : '(' typeName ')' cast | unary ;
unary
    : postfix
    | ('++' | '--') unary
    | ('&' | '*' | '+' | '-' | '~' | '!') cast
    | 'sizeof' (unary | '(' typeName ')')
    | '_Alignof' '(' typeName ')'
    ;
postfix
    : primary
    | '(' typeName ')' '{' entry (',' entry)* ','? '}'
    | postfix '[' expression ']'
    | postfix '(' (assignment (',' assignment)*)? ')'
    | postfix ('.' | '->') NAME
    | postfix ('++' | '--')
    ;
primary : NAME | NUMBER | CHARACTER | STRING+ | '(' expression ')'
    | 'offsetof' '(' typeName ',' NAME ('.' NAME | '[' expression ']')* ')' ;

TYPE : [a-z] [a-z0-9_]* '_t' ;
NAME : [A-Za-z_] [A-Za-z0-9_]* ;
NUMBER : ([0-9]+ ('.' [0-9]*)? ([eE] [+-]? [0-9]+)? | '0' [xX] [0-9a-fA-F]+ | '0' [bB] [01]+) [uUlLfF]* ;
CHARACTER : ('L' | 'u' | 'U' | 'u8')? '\'' (~['\\\n] | '\\' .)+ '\'' ;
STRING : ('L' | 'u' | 'U' | 'u8')? '"' (~["\\\n] | '\\' .)* '"' ;
PRAGMA : '#pragma' ~[\n]* ;
COMMENT : ('/*' .*? '*/' | '//' ~[\n]*) -> skip ;
BLANK : [ \t\r\n]+ -> skip ;
