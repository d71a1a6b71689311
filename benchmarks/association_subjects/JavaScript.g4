// A part of JavaScript (ECMAScript 5) over single characters, of some letters only. Names are too
// short to be words of the language, and bodies are blocks, so no `else` hangs.
grammar JavaScript;

javascript : (statement | definition)+ EOF ;
definition : 'f' 'u' 'n' 'c' 't' 'i' 'o' 'n' ' ' name arguments block ;
arguments : '(' (name (',' name)*)? ')' ;
block : '{' statement* '}' ;

statement : short | structured ;
short : empty | variables ';' | assignment ';' | leave | result | raising ;
structured : block | branch | whileLoop | doLoop | forLoop | eachLoop | attempt | selection
           | labelled | scope ;
empty : ';' ;
variables : 'v' 'a' 'r' ' ' variable (',' variable)* ;
variable : name ('=' value)? ;
assignment : place operator? '=' value | place '+' '+' | '-' '-' place | place call ;
operator : '+' | '-' | '*' | '/' | '%' | '&' | '|' | '^' ;
branch : 'i' 'f' '(' value ')' block ('e' 'l' 's' 'e' block)? ;
whileLoop : 'w' 'h' 'i' 'l' 'e' '(' value ')' body ;
doLoop : 'd' 'o' body 'w' 'h' 'i' 'l' 'e' '(' value ')' ';' ;
forLoop : 'f' 'o' 'r' '(' (variables | assignment)? ';' value? ';' assignment? ')' body ;
eachLoop : 'f' 'o' 'r' '(' 'v' 'a' 'r' ' ' name ' ' 'i' 'n' ' ' value ')' body ;
body : '{' statement* goOn? '}' ;
goOn : 'c' 'o' 'n' 't' 'i' 'n' 'u' 'e' ';' ;
leave : 'b' 'r' 'e' 'a' 'k' ';' ;
result : 'r' 'e' 't' 'u' 'r' 'n' (' ' value)? ';' ;
raising : 't' 'h' 'r' 'o' 'w' ' ' value ';' ;
attempt : 't' 'r' 'y' block (handler cleanup? | cleanup) ;
handler : 'c' 'a' 't' 'c' 'h' '(' name ')' block ;
cleanup : 'f' 'i' 'n' 'a' 'l' 'l' 'y' block ;
selection : 's' 'w' 'i' 't' 'c' 'h' '(' value ')' '{' when* otherwise? '}' ;
when : 'c' 'a' 's' 'e' ' ' value ':' leave? ;
otherwise : 'd' 'e' 'f' 'a' 'u' 'l' 't' ':' statement* ;
labelled : name ':' statement ;
scope : 'w' 'i' 't' 'h' '(' value ')' block ;

value : simple | compound ;
compound : simple binary simple | unary simple | choice ;
choice : simple '?' simple ':' simple ;
binary : '+' | '-' | '*' | '/' | '%' | '<' | '>' | '<' '=' | '=' '=' | '!' '=' '=' | '&' '&'
       | '|' '|' | '<' '<' | '>' '>' '>' | ' ' 'i' 'n' ' ' | '&' | '^' ;
unary : '!' | '-' | '~' | '+' | 't' 'y' 'p' 'e' 'o' 'f' ' ' | 'v' 'o' 'i' 'd' ' '
      | 'd' 'e' 'l' 'e' 't' 'e' ' ' ;
simple : leaf | group ;
leaf : place | constant ;
group : '(' value ')' | array | object | anonymous | creation
      | place call ;
place : name ('.' name | '[' value ']')? ;
call : '(' (value (',' value)*)? ')' ;
creation : 'n' 'e' 'w' ' ' name call ;
array : '[' (value (',' value)*)? ']' ;
object : '(' '{' (field (',' field)*)? '}' ')' ;
field : (name | string) ':' value | accessor ;
accessor : 'g' 'e' 't' ' ' name '(' ')' block ;
anonymous : '(' 'f' 'u' 'n' 'c' 't' 'i' 'o' 'n' arguments block ')' ;
constant : number | string | 't' 'r' 'u' 'e' | 'n' 'u' 'l' 'l' | 't' 'h' 'i' 's' | pattern ;
number : digit+ ('.' digit+)? ('e' digit)? | '0' 'x' digit ;
string : '"' (letter | escape)* '"' ;
escape : '\\' ('n' | 't' | 'u' digit digit digit digit) ;
pattern : '/' (letter | '.' | '[' letter ']') '*'? '/' 'g'? ;
name : letter (letter | digit)? ;
letter : 'a' | 'b' | 'x' | 'y' ;
digit : '0' | '1' | '5' | '9' ;
