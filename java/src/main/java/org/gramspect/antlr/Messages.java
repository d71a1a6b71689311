package org.gramspect.antlr;

import java.util.ArrayList;
import java.util.List;
import org.antlr.v4.tool.ANTLRMessage;
import org.antlr.v4.tool.ANTLRToolListener;

/** Collects what the ANTLR tool says, which would otherwise go to the standard error stream. */
final class Messages implements ANTLRToolListener {
    private final List<Message> found = new ArrayList<>();
    private final String root;

    /** Messages about the file {@code root}, unless they name another one. */
    Messages(String root) {
        this.root = root;
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

    void takeOver(Messages others) {
        found.addAll(others.found);
    }

    boolean haveErrors() {
        return found.stream().anyMatch(Message::isError);
    }

    List<Message> all() {
        return List.copyOf(found);
    }
}
