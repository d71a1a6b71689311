// JSON (RFC 8259) over single characters, so that derivations tell what strings and numbers hold.
grammar Json;

json : ws value ws EOF ;
value : object | array | string | number | true | false | null ;
object : '{' ws '}' | '{' member (',' member)* '}' ;
member : ws string ws ':' ws value ws ;
array : '[' ws ']' | '[' element (',' element)* ']' ;
element : ws value ws ;
string : '"' character* '"' ;
character : letter | digit | other | escape ;
letter : 'a' | 'b' | 'e' | 'f' | 'k' | 'l' | 'n' | 'r' | 's' | 't' | 'u' | 'x' | 'A' | 'E' | 'F' | 'Z' ;
other : ' ' | '.' | ',' | ':' | '-' | '_' | '/' | '[' | ']' | '{' | '}' | '\'' | '<' | '$' | 'ä' ;
escape : '\\' ('"' | '\\' | '/' | 'b' | 'f' | 'n' | 'r' | 't' | 'u' hex hex hex hex) ;
hex : digit | 'a' | 'b' | 'e' | 'f' | 'A' | 'E' | 'F' ;
number : integer fraction? exponent? ;
integer : '-'? ('0' | nonzero digit*) ;
fraction : '.' digit+ ;
exponent : ('e' | 'E') ('+' | '-')? digit+ ;
digit : '0' | nonzero ;
nonzero : '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9' ;
true : 't' 'r' 'u' 'e' ;
false : 'f' 'a' 'l' 's' 'e' ;
null : 'n' 'u' 'l' 'l' ;
ws : (' ' | '\n' | '\t')* ;
