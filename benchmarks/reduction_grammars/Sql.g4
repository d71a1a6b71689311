// A part of SQL, for the inputs of benchmarks/reduction.py.
grammar Sql;


start_ : statement (';' statement)* ';'? EOF ;
statement : query | create | insert | update | delete ;

create : 'create' ('or' 'replace')? 'table' ('if' 'not' 'exists')? name
         ('(' column (',' column)* ')' | 'as' query)
       | 'create' ('or' 'replace')? 'view' name ('(' NAME (',' NAME)* ')')? 'as' query ;
column : NAME typing constraint* | 'primary' 'key' '(' NAME (',' NAME)* ')' ;
typing : NAME ('(' NUMBER (',' NUMBER)* ')')? ('[' ']')* | 'double' 'precision'
     | 'interval' | 'date' | 'timestamp' | 'array' '<' typing '>' | 'struct' '<' NAME typing (',' NAME typing)* '>' ;
constraint : 'not' 'null' | 'null' | 'unique' | 'primary' 'key' | 'default' primary
           | 'references' name ('(' NAME ')')? | 'check' '(' expression ')' ;
insert : 'insert' 'into' name ('(' NAME (',' NAME)* ')')?
         (query | 'values' row (',' row)*) ;
row : '(' expression (',' expression)* ')' ;
update : 'update' name 'set' NAME '=' expression (',' NAME '=' expression)* where? ;
delete : 'delete' 'from' name where? ;

query : ('with' 'recursive'? cte (',' cte)*)? body (('order' 'by' order (',' order)*)? limit?) ;
cte : NAME ('(' NAME (',' NAME)* ')')? 'as' '(' query ')' ;
body : body ('union' | 'except' | 'intersect') ('all' | 'distinct')? body | select | '(' query ')'
     | 'values' row (',' row)* ;
select : 'select' 'distinct'? result (',' result)* ('from' source (',' source)*)? where?
         ('group' 'by' grouping (',' grouping)*)? ('having' expression)? window? ('qualify' expression)? ;
window : 'window' NAME 'as' '(' over ')' ;
grouping : expression | ('rollup' | 'cube') row | 'grouping' 'sets' '(' (row | '(' ')') (',' (row | '(' ')'))* ')' ;
result : '*' | name '.' '*' | expression ('as'? NAME)? ;
source : relation (join)* ;
join : ('inner' | ('left' | 'right' | 'full') 'outer'? | 'cross' | 'natural')? 'join' 'lateral'? relation
       ('on' expression | 'using' '(' NAME (',' NAME)* ')')? ;
relation : (name | '(' query ')' | 'unnest' '(' expression ')' | call | '(' source ')')
           ('as'? NAME ('(' NAME (',' NAME)* ')')?)? ;
where : 'where' expression ;
order : expression ('asc' | 'desc')? ('nulls' ('first' | 'last'))? ;
limit : 'limit' expression ('offset' expression)? | 'offset' NUMBER 'rows'? ('fetch' ('first' | 'next') NUMBER ('row' | 'rows') 'only')? ;

expression
    : 'not' expression
    | expression 'and' expression
    | expression 'or' expression
    | predicate
    ;
predicate
    : operand
    | operand ('=' | '<>' | '!=' | '<' | '>' | '<=' | '>=') (('any' | 'all' | 'some') '(' query ')' | operand)
    | operand 'is' 'not'? ('null' | 'true' | 'false' | 'distinct' 'from' operand)
    | operand 'not'? 'between' 'symmetric'? operand 'and' operand
    | operand 'not'? 'in' '(' (query | expression (',' expression)*) ')'
    | operand 'not'? ('like' | 'ilike' | 'similar' 'to') operand ('escape' STRING)?
    | 'exists' '(' query ')'
    ;
operand
    : operand '::' typing
    | operand '[' operand ']'
    | ('-' | '+' | '~') operand
    | operand ('*' | '/' | '%') operand
    | operand ('+' | '-' | '||' | '->' | '->>') operand
    | operand ('&' | '|' | '^' | '<<' | '>>') operand
    | operand 'at' 'time' 'zone' operand
    | primary
    ;
primary : NUMBER | STRING | 'null' | 'true' | 'false' | name | call | '(' (query | expression (',' expression)*) ')'
    | 'case' expression? ('when' expression 'then' expression)+ ('else' expression)? 'end'
    | 'cast' '(' expression 'as' typing ')'
    | 'extract' '(' NAME 'from' expression ')'
    | 'interval' STRING NAME? | ('date' | 'timestamp') STRING
    | 'array' '[' (expression (',' expression)*)? ']'
    ;
call : name '(' ('*' | 'distinct'? expression (',' expression)* ('order' 'by' order (',' order)*)?)? ')'
       ('within' 'group' '(' 'order' 'by' order ')')? ('filter' '(' where ')')?
       (('ignore' | 'respect') 'nulls')? ('over' (NAME | '(' over ')'))? ;
over : NAME? ('partition' 'by' expression (',' expression)*)? ('order' 'by' order (',' order)*)? frame? ;
frame : ('rows' | 'range' | 'groups') (bound | 'between' bound 'and' bound) ('exclude' ('ties' | 'group' | 'current' 'row' | 'no' 'others'))? ;
bound : ('unbounded' | operand) ('preceding' | 'following') | 'current' 'row' ;
name : NAME ('.' NAME)* ;

NUMBER : [0-9]+ ('.' [0-9]+)? (('e') [+-]? [0-9]+)? | '.' [0-9]+ ;
STRING : '\'' (~['] | '\'\'')* '\'' ;
NAME : [a-z_] [a-z0-9_]* | '"' ~["\n]+ '"' ;
COMMENT : ('--' ~[\n]* | '/*' .*? '*/') -> skip ;
BLANK : [ \t\r\n]+ -> skip ;
