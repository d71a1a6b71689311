// JSON (RFC 8259) as Json.g4 has it, but of classes of characters: what a letter is does not matter.
// For generation only, as the classes overlap.
grammar JsonClasses;

jsonclasses : WS* value WS* EOF ;
value : object | array | string | number | 'true' | 'false' | 'null' ;
object : '{' WS* '}' | '{' member (',' member)* '}' ;
member : WS* string WS* ':' WS* value WS* ;
array : '[' WS* ']' | '[' element (',' element)* ']' ;
element : WS* value WS* ;
string : '"' (SAFE | escape)* '"' ;
escape : '\\' (ESCAPED | 'u' HEX HEX HEX HEX) ;
number : '-'? integer fraction? exponent? ;
integer : '0' | NONZERO DIGIT* ;
fraction : '.' DIGIT+ ;
exponent : E SIGN? DIGIT+ ;

WS : [ \n\t] ;
SAFE : [abefklnrstuxAEFZ0-9 .,:\-_/[\]{}'<$ä] ;
ESCAPED : ["\\/bfnrt] ;
HEX : [0-9abefAEF] ;
NONZERO : [1-9] ;
DIGIT : [0-9] ;
E : [eE] ;
SIGN : [+\-] ;
