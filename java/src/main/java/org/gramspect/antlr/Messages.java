package org.gramspect.antlr;

import java.util.ArrayList;
import java.util.List;
import org.antlr.v4.tool.ANTLRMessage;
import org.antlr.v4.tool.ANTLRToolListener;

/** Collects what the ANTLR tool says, which would otherwise go to the standard error stream. */
final class Messages implements ANTLRToolListener {
    private final List<Message> found;
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

    @Override
    public void info(String message) {}

    @Override
    public void error(ANTLRMessage message) {
        add(message, true);
    }

    @Override
    public void warning(ANTLRMessage message) {
        add(message, false);
    }

    void error(String text) {
        found.add(new Message(root, 0, 0, 0, text, true));
    }

    void warning(String text) {
        found.add(new Message(root, 0, 0, 0, text, false));
    }

    private void add(ANTLRMessage message, boolean isError) {
        String file = message.fileName == null ? root : message.fileName;
        String text = message.getMessageTemplate(false).render().strip();
        boolean placed = message.line > 0;
        int column = placed ? message.charPosition + 1 : 0;
        int code = message.getErrorType().code;
        found.add(new Message(file, placed ? message.line : 0, column, code, text, isError));
    }

    boolean haveErrors() {
        return found.stream().anyMatch(Message::isError);
    }

    List<Message> all() {
        return List.copyOf(found);
    }
}
