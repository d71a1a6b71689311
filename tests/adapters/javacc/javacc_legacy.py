"""Parsers that others have generated, from Maven Central, untouched; inputs for them."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from gramspect.recognition.recognizer import LoadOptions
from gramspect_javacc import adapter
from gramspect_javacc.recognizer import JavaccRecognizer
from jars import maven_jar

__all__ = ["LEGACY", "Legacy", "lucene_sources"]

JSQLPARSER = (
    "com.github.jsqlparser:jsqlparser:4.9",
    "54bd92662fbc084f4fc6d46728d066841cac3a8a2fae4a82925c9caeac19f754",
)
JAVAPARSER = (
    "com.github.javaparser:javaparser-core:3.25.10",
    "9e80a37f92dd777d715c413a9a227e27a369d4a389ddbf2292cd74faec7e77d0",
)
BEANSHELL = (
    "org.beanshell:bsh:2.0b4",
    "91395c07885839a8c6986d5b7c577cd9bacf01bf129c89141f35e8ea858427b6",
)
QUERYPARSER = (
    "org.apache.lucene:lucene-queryparser:8.11.2",
    "d2cf511bad3bda7b91587cba4c227f8964a4e8da0433d05a740439ea21bb1ae4",
)
LUCENE = (
    "org.apache.lucene:lucene-core:8.11.2",
    "8970925f43d789a70247e36c1ba5a2607baf4195c35afd0cd878642c95c37409",
)
LUCENE_SOURCES = (
    "org.apache.lucene:lucene-queryparser:8.11.2:jar:sources",
    "e45428be47c33ce1310863cd66db9f4c6410ab8b652ee17b25199882c3e6e9a1",
)


def lucene_sources() -> Path:
    """The sources of the query parser, with its grammar."""
    return maven_jar(*LUCENE_SOURCES)


@dataclass(frozen=True)
class Legacy:
    """A parser class in jars, how users call it, and texts to start from.

    `call` is what gramspect runs; `normally` does the same through the library as it is.
    """

    name: str
    jars: tuple[tuple[str, str], ...]
    parser: str
    start: str
    call: str
    normally: Callable[[Callable[[str], Any]], Callable[[str], object]]
    seeds: tuple[str, ...]

    def paths(self) -> list[Path]:
        return [maven_jar(*jar) for jar in self.jars]

    def load(self, **options: str) -> JavaccRecognizer:
        """The parser under observation."""
        first, *others = map(str, self.paths())
        extra = {"classpath": ":".join(others), "call": self.call, **options}
        return adapter.load(f"{first}:{self.parser}", LoadOptions(start=self.start, extra=extra))

    @cache  # noqa: B019 - there are a handful
    def plain(self) -> Callable[[str], object]:
        """A function that parses a text with the library as it is, in a class loader of its own."""
        from gramspect_jvm import start

        start()
        import jpype

        urls = [jpype.JClass("java.io.File")(str(path)).toURI().toURL() for path in self.paths()]
        loader = jpype.JClass("java.net.URLClassLoader")(
            urls, jpype.JClass("java.lang.ClassLoader").getPlatformClassLoader()
        )
        return self.normally(lambda name: jpype.JClass(name, loader=loader))

    def texts(self, count: int) -> list[str]:
        """The seeds, and seeds in which words are left out, doubled, swapped or replaced."""
        source = random.Random(20)
        words = sorted({word for seed in self.seeds for word in seed.split()})
        found = dict.fromkeys(self.seeds)
        while len(found) < count:
            text = source.choice(self.seeds).split()
            for _ in range(source.randrange(1, 3)):
                at = source.randrange(len(text))
                change = source.randrange(4)
                if change == 0 and len(text) > 1:
                    del text[at]
                elif change == 1:
                    text.insert(at, text[at])
                elif change == 2:
                    other = source.randrange(len(text))
                    text[at], text[other] = text[other], text[at]
                else:
                    text[at] = source.choice(words)
            found[" ".join(text)] = None
        return list(found)


def _jsqlparser(load: Callable[[str], Any]) -> Callable[[str], object]:
    return load("net.sf.jsqlparser.parser.CCJSqlParserUtil").parse  # type: ignore[no-any-return]


def _lucene(load: Callable[[str], Any]) -> Callable[[str], object]:
    analyzer = load("org.apache.lucene.analysis.standard.StandardAnalyzer")()
    parser = load("org.apache.lucene.queryparser.classic.QueryParser")("f", analyzer)
    return parser.parse  # type: ignore[no-any-return]


def _javaparser(load: Callable[[str], Any]) -> Callable[[str], object]:
    configuration = load("com.github.javaparser.ParserConfiguration")()
    level = load("com.github.javaparser.ParserConfiguration$LanguageLevel").RAW
    parser = load("com.github.javaparser.JavaParser")(configuration.setLanguageLevel(level))

    def parse(text: str) -> object:
        result = parser.parse(text)
        if not result.isSuccessful():
            raise ValueError(str(result.getProblems()))
        return result

    return parse


def _beanshell(load: Callable[[str], Any]) -> Callable[[str], object]:
    import jpype

    parser, reader = load("bsh.Parser"), jpype.JClass("java.io.StringReader")

    def parse(text: str) -> object:
        made = parser(reader(text))
        while not made.Line():
            pass
        return made

    return parse


def _lines(text: str) -> Sequence[str]:
    return [line for line in text.strip().splitlines() if line]


LEGACY = {
    legacy.name: legacy
    for legacy in (
        Legacy(
            "jsqlparser",
            (JSQLPARSER,),
            "net.sf.jsqlparser.parser.CCJSqlParser",
            "Statement",
            "CCJSqlParserUtil.parse(text)",
            _jsqlparser,
            tuple(
                _lines("""
SELECT a , b AS c FROM t WHERE a = 1 AND b <> 'x' ORDER BY a DESC
SELECT DISTINCT t . a , count ( * ) FROM t JOIN u ON t . a = u . a GROUP BY t . a HAVING b > 2
SELECT * FROM ( SELECT a FROM t UNION ALL SELECT b FROM u ) x WHERE a IN ( 1 , 2 , 3 )
SELECT CASE WHEN a > 0 THEN 'p' ELSE 'n' END FROM t WHERE EXISTS ( SELECT 1 FROM u )
SELECT a FROM t WHERE b BETWEEN 1 AND 2 OR c LIKE 'x%' AND d IS NOT NULL LIMIT 10 OFFSET 5
WITH w AS ( SELECT 1 ) SELECT * FROM w
INSERT INTO t ( a , b ) VALUES ( 1 , 'x' ) , ( 2 , NULL )
UPDATE t SET a = a + 1 , b = 'y' WHERE c < 3
DELETE FROM t WHERE a = 1
CREATE TABLE t ( a INT NOT NULL , b VARCHAR ( 10 ) , PRIMARY KEY ( a ) )
DROP TABLE IF EXISTS t
ALTER TABLE t ADD COLUMN c INT
SELECT a FROM t LEFT OUTER JOIN u USING ( a ) , v WHERE NOT ( a = 1 OR b = 2 )
""")
            ),
        ),
        Legacy(
            "lucene",
            (QUERYPARSER, LUCENE),
            "org.apache.lucene.queryparser.classic.QueryParser",
            "TopLevelQuery",
            'new QueryParser("f", new org.apache.lucene.analysis.standard.StandardAnalyzer())'
            ".parse(text)",
            _lucene,
            tuple(
                _lines("""
title : word AND NOT body : "a phrase" ~2
( a OR b ) ^2 +c -d
date : [ 2001 TO 2002 ]
name : { a TO *}
wild* AND te?t~ OR fuzzy~0.7
*:*
/reg.*x/ && !x || y
a b c \\( d
"x y" ^3.5 AND ( +a -b )
""")
            ),
        ),
        Legacy(
            "javaparser",
            (JAVAPARSER,),
            "com.github.javaparser.GeneratedJavaParser",
            "CompilationUnit",
            "var result = new JavaParser(new ParserConfiguration().setLanguageLevel("
            "ParserConfiguration.LanguageLevel.RAW)).parse(text);"
            " if (!result.isSuccessful()) throw new Exception(result.getProblems().toString())",
            _javaparser,
            tuple(
                _lines("""
package a . b ; import java . util . * ; public class A < T extends B > implements C { }
class A { int x = 1 + 2 * 3 ; A ( ) { this . x = 2 ; } static { f ( ) ; } }
class A { List < List < String >> a ( int ... b ) throws E { return new ArrayList < > ( ) ; } }
class A { void f ( ) { for ( int i = 0 ; i < 10 ; i ++ ) { if ( a ) b ( ) ; else c ( ) ; } } }
class A { void f ( ) { Runnable r = ( ) -> { } ; g ( x -> x + 1 , A :: new ) ; } }
enum E { A , B ( 1 ) { void f ( ) { } } ; int x ; }
@ X ( y = 1 ) interface I { default int f ( ) { return 1 ; } }
record R ( int a , String b ) { R { } }
class A { int f ( Object o ) { return switch ( o ) { case 1 -> 2 ; default -> { yield 3 ; } } ; } }
class A { void f ( ) { try ( var a = b ( ) ) { throw c ; } catch ( D | E e ) { } finally { } } }
""")
            ),
        ),
        Legacy(
            "beanshell",
            (BEANSHELL,),
            "bsh.Parser",
            "Line",
            "Parser parser = new Parser(new java.io.StringReader(text)); while (!parser.Line()) {}",
            _beanshell,
            tuple(
                _lines("""
x = 3 ; y = x + 4 * ( 2 - z ) ;
for ( i = 0 ; i < 3 ; i ++ ) print ( i ) ;
int f ( a , b ) { return a + b ; } f ( 1 , 2 ) ;
import java . util . * ; list = new ArrayList ( ) ;
if ( a == b ) { c ( ) ; } else while ( d ) e ++ ;
try { x ( ) ; } catch ( Exception e ) { } finally { y ( ) ; }
switch ( a ) { case 1 : b ( ) ; break ; default : c ( ) ; }
int [ ] a = new int [ ] { 1 , 2 } ; for ( x : a ) { } ;
class A extends B { int x ; A ( ) { } }
""")
            ),
        ),
    )
}
