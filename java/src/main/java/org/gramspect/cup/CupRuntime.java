package org.gramspect.cup;

/**
 * What a parse needs of the CUP runtime that a user's parser came with. Parsers, scanners and symbols are
 * the user's; {@code java_cup.runtime.Access} implements this beside their classes.
 */
public interface CupRuntime {
    Class<?> parserClass();

    Class<?> scannerClass();

    /** The interface that all factories of symbols implement; null before version 0.11. */
    Class<?> factoryClass();

    /** A factory of symbols with positions; null before version 0.11. */
    Object newFactory();

    /** Whether parsers of a class are run by a loop of their own, not that of the runtime. */
    boolean hasOwnLoop(Class<?> parser);

    /** The tables of a parser. */
    Tables tables(Object parser);

    /** Gives a parser its scanner, if it has none from its constructor. */
    void setScanner(Object parser, Object scanner);

    /** What CUP's own loop does before the first token. */
    void begin(Object parser) throws Exception;

    /** The next token, by way of the parser. */
    Object scan(Object parser) throws Exception;

    /** The next token straight from a scanner; null at the end of the input. */
    Object nextToken(Object scanner) throws Exception;

    /** The number of a token's terminal. */
    int number(Object token);

    /** The value that the scanner has given to a token. */
    Object value(Object token);

    /** Whether line and column are known, and the two positions of a token. */
    int[] position(Object token);

    /** Whether a token has been shifted before. */
    boolean isUsed(Object token);

    /** Marks a token as shifted, for parses without actions. */
    void use(Object token);

    /** Puts a symbol on the parser's stack. */
    void push(Object parser, Object symbol, int state);

    /** Takes symbols off the parser's stack. */
    void pop(Object parser, int count);

    /** Runs the action of a production, and returns the symbol of its left-hand side. */
    Object act(Object parser, int production) throws Exception;

    /** Whether an action has ended the parse. */
    boolean isDone(Object parser);
}
