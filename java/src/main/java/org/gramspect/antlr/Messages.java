package org.gramspect.antlr;

import java.util.ArrayList;
import java.util.List;
import org.antlr.runtime.Token;
import org.antlr.v4.tool.ANTLRMessage;
import org.antlr.v4.tool.ANTLRToolListener;

/** Collects what the ANTLR tool says, which would otherwise go to the standard error stream. */
final class Messages implements ANTLRToolListener {
    private List<Message> found;
    private final String root;

    /** Messages about the file {@code root}, unless they name another one. */
    Messages(String root) {
        this(root, new ArrayList<>());
    }

    private Messages(String root, List<Message> found) {
        this.root = root;
        this.found = found;
    }

    /** A listener for another file, which adds to these messages. */
    Messages about(String file) {
        return new Messages(file, found);
    }

    /**
     * A listener for the same file, whose messages are kept apart until {@link #join} adds them to these.
     */
    Messages apart() {
        return new Messages(root);
    }

    /** Takes over the messages of a listener, those to come as well. */
    void join(Messages other) {
        found.addAll(other.found);
        other.found = found;
    }

    @Override
    public void info(String message) {}

    @Override
    public void error(ANTLRMessage message) {
        add(message, Message.Kind.ERROR);
    }

    @Override
    public void warning(ANTLRMessage message) {
        boolean tolerated = TolerantErrors.isTolerated(message.getErrorType());
        add(message, tolerated ? Message.Kind.TOLERATED : Message.Kind.WARNING);
    }

    void error(String text) {
        found.add(new Message(root, 0, 0, 0, text, Message.Kind.ERROR));
    }

    void warning(String text) {
        found.add(new Message(root, 0, 0, 0, text, Message.Kind.WARNING));
    }

    private void add(ANTLRMessage message, Message.Kind kind) {
        String file = message.fileName == null ? root : message.fileName;
        String text = message.getMessageTemplate(false).render().strip();
        boolean placed = message.line > 0;
        int column = placed ? message.charPosition + 1 : 0;
        int code = message.getErrorType().code;
        found.add(new Message(file, placed ? message.line : 0, column, code, text, kind));
    }

    /** Notes what only older releases of the tool accept; the text says how it was read. */
    void tolerated(Token token, int code, String text) {
        int column = Trees.column(token);
        found.add(new Message(
                root, token.getLine(), column, code, text, Message.Kind.TOLERATED));
    }

    boolean haveErrors() {
        return found.stream().anyMatch(Message::isError);
    }

    List<Message> all() {
        return List.copyOf(found);
    }
}
