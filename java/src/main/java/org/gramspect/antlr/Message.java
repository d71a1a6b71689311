package org.gramspect.antlr;

/**
 * Something the ANTLR tool said about a grammar. The line and column count from 1; both are 0 where
 * there is no position. The file is null where it is the grammar that was asked for. A tolerated
 * one is an error of the tool that did not keep us from loading the grammar.
 */
public record Message(String file, int line, int column, int code, String text, Kind kind) {
    /** The consequence of a message. */
    public enum Kind { WARNING, TOLERATED, ERROR }

    public boolean isError() {
        return kind == Kind.ERROR;
    }

    public boolean isTolerated() {
        return kind == Kind.TOLERATED;
    }
}
