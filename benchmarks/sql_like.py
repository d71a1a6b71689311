"""A grammar the size of a real SQL dialect, for measuring the LR machinery.

It is our own: the statements of SQL in outline, with stratified expressions, subqueries, joins,
window functions, types, and the definition and alteration of tables and other objects.
"""

from __future__ import annotations

from collections.abc import Iterator

from gramspect.grammars.grammar import Grammar

__all__ = ["grammar", "rules"]

QUERIES = """
script: statement | script ';' statement
statement: query | insert | update | delete | create | alter | drop | grant | transaction
    | session | procedural
query: query_body order_part limit_part
    | WITH recursive_part ctes query_body order_part limit_part
recursive_part: | RECURSIVE
ctes: cte | ctes ',' cte
cte: ID column_list_part AS materialized_part '(' query ')'
materialized_part: | MATERIALIZED | NOT MATERIALIZED
query_body: query_term | query_body UNION quantity query_term
    | query_body EXCEPT quantity query_term
query_term: query_primary | query_term INTERSECT quantity query_primary
query_primary: select | VALUES rows | TABLE name | '(' query ')'
quantity: | ALL | DISTINCT
select: SELECT quantity targets from_part where_part group_part having_part window_part
targets: target | targets ',' target
target: expr | expr AS ID | expr ID | '*' | name '.' '*'
from_part: | FROM sources
sources: source | sources ',' source
source: source_primary | source join_kind JOIN source_primary join_condition
    | source CROSS JOIN source_primary | source NATURAL JOIN source_primary
join_kind: | INNER | LEFT outer_part | RIGHT outer_part | FULL outer_part
outer_part: | OUTER
join_condition: ON expr | USING '(' names ')'
source_primary: name alias_part | '(' query ')' alias_part | LATERAL '(' query ')' alias_part
    | '(' source ')' | UNNEST '(' expr ')' alias_part | call_source alias_part
call_source: TABLE '(' name '(' arguments ')' ')'
alias_part: | AS ID column_list_part | ID
where_part: | WHERE expr
group_part: | GROUP BY groupings
groupings: grouping | groupings ',' grouping
grouping: expr | ROLLUP '(' exprs ')' | CUBE '(' exprs ')' | GROUPING SETS '(' grouping_sets ')'
grouping_sets: grouping_set | grouping_sets ',' grouping_set
grouping_set: '[' exprs ']' | '[' ']'
having_part: | HAVING expr
window_part: | WINDOW windows
windows: window | windows ',' window
window: ID AS '(' window_body ')'
window_body: base_part partition_part order_part frame_part
base_part: | BASE ID
partition_part: | PARTITION BY exprs
frame_part: | frame_unit frame_bound | frame_unit BETWEEN frame_bound AND frame_bound
frame_unit: ROWS | RANGE | GROUPS
frame_bound: UNBOUNDED PRECEDING | UNBOUNDED FOLLOWING | CURRENT ROW | NUMBER PRECEDING
    | NUMBER FOLLOWING
order_part: | ORDER BY sort_keys
sort_keys: sort_key | sort_keys ',' sort_key
sort_key: expr direction_part nulls_part
direction_part: | ASC | DESC
nulls_part: | NULLS FIRST | NULLS LAST
limit_part: | LIMIT expr | LIMIT expr OFFSET expr | OFFSET expr | FETCH FIRST expr ROWS ONLY
"""

EXPRESSIONS = """
expr: disjunction
disjunction: conjunction | disjunction OR conjunction
conjunction: negation | conjunction AND negation
negation: test | NOT negation
test: predicate | predicate IS not_part truth
truth: NULL | TRUE | FALSE | UNKNOWN | OF '(' types ')' | JSON
not_part: | NOT
predicate: concat | predicate comparator concat | predicate comparator some '(' query ')'
    | concat IN concat_list | concat NOT IN concat_list | concat BETWEEN concat AND concat
    | concat NOT BETWEEN concat AND concat | concat LIKE concat | concat NOT LIKE concat
    | EXISTS '(' query ')' | UNIQUE '(' query ')'
concat_list: '(' exprs ')' | '(' query ')'
comparator: '=' | '<>' | '<' | '>' | '<=' | '>='
some: SOME | ANY | ALL
concat: bit_or | concat '||' bit_or
bit_or: bit_and | bit_or '|' bit_and | bit_or '#' bit_and
bit_and: shift | bit_and '&' shift
shift: sum | shift '<<' sum
sum: product | sum '+' product | sum '-' product
product: power | product '*' power | product '/' power | product '%' power
power: unary | unary '^' power
unary: collated | '-' unary | '+' unary | '~' unary
collated: postfix | collated AT TIME ZONE postfix
postfix: primary | postfix '::' type | postfix '[' expr ']'
    | postfix '[' slice_bound ':' slice_bound ']' | postfix '->' primary | postfix '->>' primary
slice_bound: | expr
primary: literal | name | call | case | cast | '(' expr ')' | '(' expr ',' exprs ')'
    | '(' query ')' | ROW '(' exprs ')' | ARRAY '[' exprs ']' | ARRAY '(' query ')' | parameter
    | interval | extraction | trimming | substring | position
literal: NUMBER | STRING | NULL | TRUE | FALSE | DATE STRING | TIME STRING | TIMESTAMP STRING
    | DEFAULT
parameter: '?' | ':' ID
interval: INTERVAL STRING interval_unit | INTERVAL STRING interval_unit TO interval_unit
interval_unit: YEAR | MONTH | DAY | HOUR | MINUTE | SECOND
extraction: EXTRACT '(' interval_unit FROM expr ')'
trimming: TRIM '(' trim_side expr FROM expr ')' | TRIM '(' expr ')'
trim_side: LEADING | TRAILING | BOTH
substring: SUBSTRING '(' expr FROM expr ')' | SUBSTRING '(' expr FROM expr FOR expr ')'
    | SUBSTRING '(' expr ',' exprs ')'
position: POSITION '(' concat IN concat ')'
call: name '(' ')' call_tail | name '(' '*' ')' call_tail
    | name '(' quantified order_part ')' call_tail
quantified: arguments | DISTINCT arguments | ALL arguments
arguments: argument | arguments ',' argument
argument: expr | ID '=>' expr | VARIADIC expr
call_tail: within_part filter_part over_part
within_part: | WITHIN GROUP '(' ORDER BY sort_keys ')'
filter_part: | FILTER '(' WHERE expr ')'
over_part: | OVER ID | OVER '(' window_body ')'
case: CASE whens else_part END | CASE expr whens else_part END
whens: when | whens when
when: WHEN expr THEN expr
else_part: | ELSE expr
cast: CAST '(' expr AS type ')' | TRY_CAST '(' expr AS type ')' | CONVERT '(' expr USING name ')'
exprs: expr | exprs ',' expr
name: ID | name '.' ID
names: name | names ',' name
column_list_part: | '(' ids ')'
ids: ID | ids ',' ID
types: type | types ',' type
type: simple_type | type ARRAY | SETOF simple_type | ROW '(' fields ')'
fields: field | fields ',' field
field: ID type
simple_type: INTEGER | SMALLINT | BIGINT | REAL | DOUBLE PRECISION | BOOLEAN | JSON | UUID | BLOB
    | NUMERIC size_part | DECIMAL size_part | FLOAT size_part | CHARACTER varying_part size_part
    | VARCHAR size_part | BIT varying_part size_part | DATE | TIME size_part zone_part
    | TIMESTAMP size_part zone_part | INTERVAL interval_unit | name
varying_part: | VARYING
size_part: | '(' NUMBER ')' | '(' NUMBER ',' NUMBER ')'
zone_part: | WITH TIME ZONE | WITHOUT TIME ZONE
"""

CHANGES = """
insert: INSERT INTO name column_list_part insert_source conflict_part
insert_source: query | DEFAULT VALUES
conflict_part: | ON CONFLICT column_list_part DO NOTHING
    | ON CONFLICT column_list_part DO UPDATE SET assignments where_part
rows: row | rows ',' row
row: '(' exprs ')'
update: UPDATE name alias_part SET assignments from_part where_part
assignments: assignment | assignments ',' assignment
assignment: name '=' expr | '(' names ')' '=' row
delete: DELETE FROM name alias_part using_part where_part | TRUNCATE TABLE names cascade_part
using_part: | USING sources
cascade_part: | CASCADE | RESTRICT
grant: GRANT privileges ON object_kind names TO grantees option_part
    | REVOKE privileges ON object_kind names FROM grantees cascade_part | GRANT ids TO grantees
    | REVOKE ids FROM grantees
privileges: privilege | privileges ',' privilege
privilege: SELECT column_list_part | INSERT column_list_part | UPDATE column_list_part | DELETE
    | REFERENCES column_list_part | USAGE | EXECUTE | ALL PRIVILEGES
grantees: grantee | grantees ',' grantee
grantee: ID | PUBLIC | CURRENT ROLE
option_part: | WITH GRANT OPTION
transaction: BEGIN isolation_part | COMMIT chain_part | ROLLBACK chain_part | SAVEPOINT ID
    | ROLLBACK TO ID
isolation_part: | ISOLATION LEVEL isolation
isolation: SERIALIZABLE | REPEATABLE READ | READ COMMITTED | READ UNCOMMITTED
chain_part: | AND CHAIN | AND NO CHAIN
session: SET ID '=' expr | SET ID TO expr | SET LOCAL ID '=' expr | RESET ID | SHOW ID
    | EXPLAIN explain_part query | COMMENT ON object_kind name IS STRING
explain_part: | ANALYZE | VERBOSE
settings: setting | settings ',' setting
setting: ID | ID '=' expr
procedural: CALL name '(' arguments ')' | EXECUTE ID USING exprs | PREPARE ID AS query
    | DEALLOCATE ID
default_part: | DEFAULT expr
"""

DEFINITIONS = """
create_table: CREATE temporary_part TABLE exists_not name '(' elements ')' storage_part
    | CREATE temporary_part TABLE exists_not name column_list_part AS query data_part
temporary_part: | TEMPORARY | GLOBAL TEMPORARY | LOCAL TEMPORARY | UNLOGGED
exists_not: | IF NOT EXISTS
exists_part: | IF EXISTS
data_part: | WITH DATA | WITH NO DATA
storage_part: | storage_part storage
storage: INHERITS '(' names ')' | PARTITION BY RANGE '(' exprs ')'
    | PARTITION BY HASH '(' exprs ')' | TABLESPACE ID | WITH '(' settings ')'
    | ON COMMIT PRESERVE ROWS | ON COMMIT DELETE ROWS
elements: element | elements ',' element
element: column | constraint_part table_constraint | LIKE name
column: ID type column_constraints
column_constraints: | column_constraints constraint_part column_constraint
constraint_part: | CONSTRAINT ID
column_constraint: NOT NULL | NULL | PRIMARY KEY | UNIQUE | CHECK '(' expr ')' | DEFAULT concat
    | references | GENERATED ALWAYS AS '(' expr ')' STORED | COLLATE name
table_constraint: PRIMARY KEY '(' ids ')' | UNIQUE '(' ids ')' | CHECK '(' expr ')'
    | FOREIGN KEY '(' ids ')' references
references: REFERENCES name column_list_part reference_actions
reference_actions: | reference_actions ON DELETE reference_action
    | reference_actions ON UPDATE reference_action
reference_action: CASCADE | RESTRICT | SET NULL | SET DEFAULT | NO ACTION
create_view: CREATE replace_part VIEW name column_list_part AS query check_part
    | CREATE MATERIALIZED VIEW exists_not name column_list_part AS query data_part
replace_part: | OR REPLACE
check_part: | WITH CHECK OPTION | WITH LOCAL CHECK OPTION
create_index: CREATE unique_part INDEX exists_not ID ON name method_part keyed where_part
keyed: '(' index_keys ')' include_part
unique_part: | UNIQUE
method_part: | USING ID
index_keys: index_key | index_keys ',' index_key
index_key: collated direction_part nulls_part | '{' expr '}' direction_part nulls_part
include_part: | INCLUDE '(' ids ')'
create_sequence: CREATE SEQUENCE exists_not name sequence_options
sequence_options: | sequence_options sequence_option
sequence_option: START WITH NUMBER | INCREMENT BY NUMBER | MINVALUE NUMBER | MAXVALUE NUMBER
    | CYCLE | NO CYCLE | CACHE NUMBER
create_routine:
    CREATE replace_part FUNCTION name '(' parameters_part ')' RETURNS type traits routine_body
    | CREATE replace_part PROCEDURE name '(' parameters_part ')' traits routine_body
parameters_part: | formals
formals: formal | formals ',' formal
formal: direction ID type default_part
direction: | IN | OUT | INOUT
traits: | traits trait
trait: IMMUTABLE | STABLE | VOLATILE | STRICT | LANGUAGE ID | SECURITY DEFINER | SECURITY INVOKER
    | COST NUMBER
routine_body: AS STRING | RETURN expr
create_type: CREATE TYPE name AS '(' fields ')' | CREATE TYPE name AS ENUM '(' strings ')'
    | CREATE DOMAIN name AS type column_constraints
strings: STRING | strings ',' STRING
create_simple: CREATE SCHEMA exists_not ID | CREATE ROLE ID role_options
    | CREATE SYNONYM name FOR name
role_options: | role_options role_option
role_option: LOGIN | SUPERUSER | PASSWORD STRING | OWNER ID | CONNECTION LIMIT NUMBER
    | VALID UNTIL STRING
create: create_table | create_view | create_index | create_sequence | create_routine | create_type
    | create_simple
alter_table: ALTER TABLE exists_part name alterations
alterations: alteration | alterations ',' alteration
alteration: ADD COLUMN exists_not column | DROP COLUMN exists_part ID cascade_part
    | ALTER COLUMN ID TYPE type conversion_part | ALTER COLUMN ID SET DEFAULT expr
    | ALTER COLUMN ID DROP DEFAULT | ALTER COLUMN ID SET NOT NULL | ALTER COLUMN ID DROP NOT NULL
    | ADD CONSTRAINT ID table_constraint | DROP CONSTRAINT ID cascade_part
    | RENAME COLUMN ID TO ID | ATTACH PARTITION name partition_bound | DETACH PARTITION name
    | SET '(' settings ')'
conversion_part: | USING expr
partition_bound: FOR VALUES FROM row TO row | FOR VALUES IN row | DEFAULT
"""

OBJECT_KINDS = {
    "VIEW": ("SET '(' settings ')'", "RESET '(' ids ')'", "ALTER COLUMN ID SET DEFAULT expr"),
    "INDEX": ("SET TABLESPACE ID", "SET '(' settings ')'"),
    "SEQUENCE": ("sequence_option sequence_options", "RESTART WITH NUMBER"),
    "FUNCTION": ("trait traits", "SET ID TO expr"),
    "TYPE": ("ADD VALUE STRING", "ADD ATTRIBUTE field", "DROP ATTRIBUTE ID cascade_part"),
    "DOMAIN": ("SET DEFAULT expr", "DROP DEFAULT", "ADD CHECK '(' expr ')'"),
    "SCHEMA": (),
    "ROLE": ("role_option role_options", "SET ID TO expr"),
}
"""What can be altered in each kind of object, besides its name, schema and owner."""


def _objects() -> Iterator[str]:
    """The statements that every kind of object has."""
    kinds = " | ".join(("TABLE", *OBJECT_KINDS))
    yield f"object_kind: {kinds}"
    yield "drop: DROP object_kind exists_part names cascade_part"
    alters = " | ".join(f"alter_{kind.lower()}" for kind in OBJECT_KINDS)
    yield f"alter: alter_table | {alters}"
    for kind, changes in OBJECT_KINDS.items():
        low = kind.lower()
        yield f"alter_{low}: ALTER {kind} exists_part name {low}_change"
        common = ("RENAME TO ID", "SET SCHEMA ID", "OWNER TO grantee")
        yield f"{low}_change: {' | '.join((*common, *changes))}"


def rules() -> list[tuple[str, list[str]]]:
    """The grammar as pairs of left-hand and right-hand side; literals keep their quotes."""
    text = "\n".join((QUERIES, EXPRESSIONS, CHANGES, DEFINITIONS, *_objects()))
    found: list[tuple[str, list[str]]] = []
    for line in text.replace("\n    ", " ").splitlines():
        lhs, _, alternatives = line.partition(":")
        rhs: list[str] = []
        for word in f"{alternatives} |".split() if lhs else ():
            if word == "|":
                found.append((lhs, rhs))
                rhs = []
            else:
                rhs.append(word)
    return found


def grammar() -> Grammar:
    """The grammar."""
    return Grammar.from_rules(rules(), name="sql_like")
