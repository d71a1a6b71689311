package org.gramspect.antlr;

/**
 * Something the ANTLR tool said about a grammar. The line and column count from 1; both are 0 where
 * there is no position. The file is null where it is the grammar that was asked for.
 */
public record Message(String file, int line, int column, int code, String text, boolean isError) {}
