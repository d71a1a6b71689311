// TOML, for the inputs of benchmarks/reduction.py.
grammar Toml;

start_ : line (NEWLINE line)* EOF ;
line : (pair | table | tables)? ;
table : '[' key ']' ;
tables : '[' '[' key ']' ']' ;
pair : key '=' value ;
key : part ('.' part)* ;
part : NAME | STRING | NUMBER | DATE | 'true' | 'false' ;
value : STRING | TEXT | NUMBER | FLOAT | DATE | 'true' | 'false' | array | inline ;
array : '[' NEWLINE* (value NEWLINE* (',' NEWLINE* value NEWLINE*)* (',' NEWLINE*)?)? ']' ;
inline : '{' (pair (',' pair)*)? '}' ;

TEXT : '"""' .*? '"""' | '\'\'\'' .*? '\'\'\'' ;
STRING : '"' (~["\\\n] | '\\' .)* '"' | '\'' ~['\n]* '\'' ;
DATE : D D D D '-' D D '-' D D ([Tt ] D D ':' D D ':' D D ('.' D+)? ([Zz] | [+-] D D ':' D D)?)?
    | D D ':' D D ':' D D ('.' D+)? ;
NUMBER : [+-]? D [0-9_]* | '0x' [0-9a-fA-F_]+ | '0o' [0-7_]+ | '0b' [01_]+ ;
FLOAT : [+-]? D [0-9_]* ('.' D [0-9_]*)? ([eE] [+-]? D+)? | [+-]? ('inf' | 'nan') ;
NAME : [A-Za-z0-9_-]+ ;
fragment D : [0-9] ;
NEWLINE : '\r'? '\n' ;
COMMENT : '#' ~[\n]* -> skip ;
BLANK : [ \t]+ -> skip ;
