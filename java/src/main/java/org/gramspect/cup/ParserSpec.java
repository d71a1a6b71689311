package org.gramspect.cup;

import org.gramspect.compiling.UserClasses;

/**
 * What the user has said about a parser and its scanner; see {@link Maker} for how they are written.
 *
 * @param classes where the classes are
 * @param parser the parser; null if the tables come from a grammar
 * @param scanner the scanner; null if the parser makes its own
 * @param symbols the class with the numbers of the terminals; null to look for it
 */
public record ParserSpec(UserClasses classes, String parser, String scanner, String symbols) {}
