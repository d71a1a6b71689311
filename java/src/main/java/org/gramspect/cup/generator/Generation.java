package org.gramspect.cup.generator;

import java.io.StringReader;
import java.lang.reflect.Field;
import java.util.Enumeration;
import java.util.concurrent.Callable;
import java_cup.ErrorManager;
import java_cup.Lexer;
import java_cup.emit;
import java_cup.lalr_item;
import java_cup.lalr_state;
import java_cup.non_terminal;
import java_cup.parse_action;
import java_cup.parse_action_table;
import java_cup.parse_reduce_table;
import java_cup.parser;
import java_cup.production;
import java_cup.production_part;
import java_cup.reduce_action;
import java_cup.runtime.ComplexSymbolFactory;
import java_cup.runtime.Symbol;
import java_cup.shift_action;
import java_cup.symbol;
import java_cup.symbol_part;
import java_cup.terminal;
import org.gramspect.buffers.Numbers;
import org.gramspect.cup.Generated;

/**
 * One run of CUP on a grammar, without the writing of files. CUP keeps everything in static fields, so
 * each run takes place in a loader of its own, which loads this class as well.
 */
public final class Generation implements Callable<Generated> {
    private final String text;

    public Generation(String text) {
        this.text = text;
    }

    /** The tables; null if CUP has reported errors. */
    @Override
    public Generated call() throws Exception {
        if (!parses()) {
            return null;
        }
        non_terminal.compute_nullability();
        non_terminal.compute_first_sets();
        lalr_state start = lalr_state.build_machine(emit.start_production);
        parse_action_table actions = new parse_action_table();
        parse_reduce_table reduces = new parse_reduce_table();
        for (Enumeration<?> all = lalr_state.all(); all.hasMoreElements();) {
            ((lalr_state) all.nextElement()).build_table_entries(actions, reduces);
        }
        actions.check_reductions();
        return new Generated(terminals(), nonterminals(), productions(), items(),
                actions(actions), reduces(reduces), start.index(), emit.start_production.index());
    }

    private boolean parses() throws Exception {
        Lexer tokens = lexer();
        ErrorManager errors = ErrorManager.getManager();
        parser parser = new parser(tokens, new ComplexSymbolFactory()) {
            @Override
            public Symbol scan() throws Exception { // its own one reads standard input
                return tokens.next_token();
            }
        };
        try {
            parser.parse();
        } catch (RuntimeException problem) {
            // The runtime trips over its own message about the tokens that it expects.
            if (errors.getErrorCount() == 0) {
                throw problem;
            }
        }
        return errors.getErrorCount() + errors.getFatalCount() == 0;
    }

    /** CUP's lexer; of its constructors, the one that takes a factory of symbols reads standard input. */
    private Lexer lexer() throws ReflectiveOperationException {
        Lexer lexer = new Lexer(new StringReader(text));
        Field factory = Lexer.class.getDeclaredField("symbolFactory");
        factory.setAccessible(true);
        factory.set(lexer, new ComplexSymbolFactory());
        return lexer;
    }

    private static String[] terminals() {
        String[] names = new String[terminal.number()];
        for (int i = 0; i < names.length; i++) {
            names[i] = terminal.find(i).name();
        }
        return names;
    }

    private static String[] nonterminals() {
        String[] names = new String[non_terminal.number()];
        for (int i = 0; i < names.length; i++) {
            names[i] = non_terminal.find(i).name();
        }
        return names;
    }

    private static int number(symbol symbol) {
        return symbol.is_non_term() ? terminal.number() + symbol.index() : symbol.index();
    }

    private static int[] productions() throws Exception {
        Numbers numbers = new Numbers();
        for (int i = 0; i < production.number(); i++) {
            production rule = production.find(i);
            numbers.addAll(rule.lhs().the_symbol().index(), rule.rhs_length());
            for (int place = 0; place < rule.rhs_length(); place++) {
                production_part part = rule.rhs(place);
                numbers.add(number(((symbol_part) part).the_symbol()));
            }
        }
        return numbers.toArray();
    }

    private static int[] items() {
        Numbers numbers = new Numbers();
        for (Enumeration<?> states = lalr_state.all(); states.hasMoreElements();) {
            lalr_state state = (lalr_state) states.nextElement();
            numbers.addAll(state.index(), state.items().size());
            for (Enumeration<?> all = state.items().all(); all.hasMoreElements();) {
                lalr_item item = (lalr_item) all.nextElement();
                numbers.addAll(item.the_production().index(), item.dot_pos());
            }
        }
        return numbers.toArray();
    }

    private static int[] actions(parse_action_table table) {
        Numbers numbers = new Numbers();
        for (int state = 0; state < table.num_states(); state++) {
            for (int symbol = 0; symbol < terminal.number(); symbol++) {
                numbers.add(code(table.under_state[state].under_term[symbol]));
            }
        }
        return numbers.toArray();
    }

    private static int code(parse_action action) {
        if (action.kind() == parse_action.SHIFT) {
            return ((shift_action) action).shift_to().index() + 1;
        } else if (action.kind() == parse_action.REDUCE) {
            return -(((reduce_action) action).reduce_with().index() + 1);
        }
        return 0;
    }

    private static int[] reduces(parse_reduce_table table) {
        Numbers numbers = new Numbers();
        for (int state = 0; state < table.num_states(); state++) {
            for (int symbol = 0; symbol < non_terminal.number(); symbol++) {
                lalr_state target = table.under_state[state].under_non_term[symbol];
                numbers.add(target == null ? -1 : target.index());
            }
        }
        return numbers.toArray();
    }
}
