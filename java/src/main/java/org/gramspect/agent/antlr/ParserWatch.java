package org.gramspect.agent.antlr;

import org.gramspect.agent.Session;

/**
 * What a rewritten parser reports to. Each parser object has one of its own.
 *
 * <p>The methods take the watch as their last argument; it is null while the parser is constructed.
 */
public final class ParserWatch {
    private final Recordings recordings;
    private final Object parser;
    private ParseRecord parse;

    private ParserWatch(Recordings recordings, Object parser) {
        this.recordings = recordings;
        this.parser = parser;
    }

    /** The watch of a new parser. */
    public static ParserWatch create(Object parser, int session) {
        return new ParserWatch(Recordings.of(Session.numbered(session)), parser);
    }

    /** A rule is entered. */
    public static void enters(int rule, ParserWatch watch) {
        if (watch != null) {
            if (watch.parse == null) {
                watch.parse = watch.recordings.begin(watch.parser, rule);
            }
            if (watch.parse != null) {
                watch.parse.enter(rule);
            }
        }
    }

    /** A rule returns. */
    public static void leaves(ParserWatch watch) {
        if (watch != null && watch.parse != null && watch.parse.leave()) {
            watch.end(null);
        }
    }

    /** A rule is left by an exception. */
    public static void abandons(Throwable thrown, ParserWatch watch) {
        if (watch != null && watch.parse != null && watch.parse.abandon()) {
            watch.end(thrown);
        }
    }

    private void end(Throwable thrown) {
        ParseRecord ended = parse;
        parse = null;
        recordings.end(parser, ended, thrown);
    }

    /** The code of a rule passes a state. */
    public static void passes(int state, ParserWatch watch) {
        if (watch != null && watch.parse != null) {
            watch.parse.pass(state);
        }
    }

    /** A token of this type is consumed. */
    public static void consumed(int type, ParserWatch watch) {
        if (watch != null && watch.parse != null) {
            watch.parse.consume(type);
        }
    }

    /** A syntax error is reported. */
    public static void failed(Object token, String message, ParserWatch watch) {
        if (watch != null && watch.parse != null) {
            watch.parse.fail(token, message);
        }
    }
}
