package org.gramspect.antlr;

import org.antlr.v4.runtime.CharStream;
import org.antlr.v4.runtime.IntStream;
import org.antlr.v4.runtime.misc.Interval;

/** A stream that looks upper- or lower-case to the lexer, while the text of tokens keeps its case. */
final class CaseChangingStream implements CharStream {
    private final CharStream stream;
    private final boolean upper;

    CaseChangingStream(CharStream stream, boolean upper) {
        this.stream = stream;
        this.upper = upper;
    }

    @Override
    public int LA(int offset) {
        int c = stream.LA(offset);
        if (c == IntStream.EOF || c == 0) {
            return c;
        }
        return upper ? Character.toUpperCase(c) : Character.toLowerCase(c);
    }

    @Override
    public String getText(Interval interval) {
        return stream.getText(interval);
    }

    @Override
    public void consume() {
        stream.consume();
    }

    @Override
    public int mark() {
        return stream.mark();
    }

    @Override
    public void release(int marker) {
        stream.release(marker);
    }

    @Override
    public int index() {
        return stream.index();
    }

    @Override
    public void seek(int index) {
        stream.seek(index);
    }

    @Override
    public int size() {
        return stream.size();
    }

    @Override
    public String getSourceName() {
        return stream.getSourceName();
    }
}
