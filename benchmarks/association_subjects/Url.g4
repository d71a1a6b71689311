// URLs (RFC 3986, in part) over single characters, of some letters only.
grammar Url;

url : scheme ':' '/' '/' authority? path query? anchor? EOF ;
scheme : 'h' 't' 't' 'p' 's'? | 'f' 't' 'p' | letter (letter | digit | '+' | '-' | '.')* ;
authority : (user '@')? host (':' port?)? ;
user : name (':' name?)? ;
host : address | domain | '[' part (':' part)+ ']' ;
address : number '.' number '.' number '.' number ;
number : digit (digit digit?)? ;
domain : label ('.' label)* '.'? ;
label : (letter | digit) ((letter | digit | '-')* (letter | digit))? ;
part : hex* ;
port : digit+ ;
path : ('/' segment)* ;
segment : character* ;
query : '?' (argument ('&' argument)*)? ;
argument : name ('=' name?)? ;
anchor : '#' (character | '/' | '?')* ;
name : character+ ;
character : letter | digit | mark | escape ;
mark : '-' | '.' | '_' | '~' | '!' | '$' | '(' | ')' | '*' | ',' | ';' | '\'' ;
escape : '%' hex hex ;
hex : digit | 'a' | 'b' | 'c' | 'd' | 'e' | 'f' | 'A' | 'F' ;
letter : 'a' | 'b' | 'c' | 'd' | 'e' | 'f' | 'h' | 'm' | 'o' | 'p' | 's' | 't' | 'w' | 'A' | 'F' | 'Z' | 'ä' ;
digit : '0' | '1' | '2' | '5' | '8' | '9' ;
