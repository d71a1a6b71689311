package java_cup.runtime;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.InputStream;
import org.gramspect.cup.CupRuntime;
import org.gramspect.cup.Tables;

/**
 * Does what CUP's own loop does, from outside. It is no part of CUP: gramspect defines it in the loader of
 * a user's parser, in the package of the runtime that the parser came with, where it may use what is not
 * public. All it uses is in CUP 0.10k to 0.11b; factories of symbols are since 0.11.
 */
public final class Access implements CupRuntime {
    private static final String FRESHNESS = "Symbol recycling detected";

    private final Class<?> factoryClass = factoryClassIfAny();
    private final boolean complex = hasComplexSymbols();
    private Class<?> loopOf;
    private boolean wantsFreshSymbols = true;

    private static Class<?> factoryClassIfAny() {
        try {
            return SymbolFactory.class;
        } catch (NoClassDefFoundError older) {
            return null;
        }
    }

    /** Runtimes in jars may be stripped of what the parser there does not use. */
    private static boolean hasComplexSymbols() {
        try {
            return ComplexSymbolFactory.ComplexSymbol.class != null;
        } catch (NoClassDefFoundError stripped) {
            return false;
        }
    }

    /**
     * Whether the loop that runs a parser refuses symbols that it has seen: not every version of the
     * runtime does, and a parser may have a loop of its own. A class whose code looks up no actions has
     * none; then its superclass counts.
     */
    private static boolean wantsFreshSymbols(Class<?> parser) {
        return code(homeOfLoop(parser)).contains(FRESHNESS);
    }

    /** The class with the loop: one that looks actions up, or the runtime's. */
    private static Class<?> homeOfLoop(Class<?> parser) {
        Class<?> home = parser;
        while (home != lr_parser.class) {
            String code = code(home);
            if (code.contains(FRESHNESS) || code.contains("get_action")) {
                return home;
            }
            home = home.getSuperclass();
        }
        return home;
    }

    @Override
    public boolean hasOwnLoop(Class<?> parser) {
        return homeOfLoop(parser) != lr_parser.class;
    }

    private static String code(Class<?> type) {
        String file = type.getName().substring(type.getName().lastIndexOf('.') + 1) + ".class";
        try (InputStream code = type.getResourceAsStream(file)) {
            return code == null ? "" : new String(code.readAllBytes(), ISO_8859_1);
        } catch (IOException unreadable) {
            return "";
        }
    }

    @Override
    public Class<?> parserClass() {
        return lr_parser.class;
    }

    @Override
    public Class<?> scannerClass() {
        return Scanner.class;
    }

    @Override
    public Class<?> factoryClass() {
        return factoryClass;
    }

    @Override
    @SuppressWarnings("deprecation") // what a stripped runtime has left
    public Object newFactory() {
        if (factoryClass == null) {
            return null;
        }
        return complex ? new ComplexSymbolFactory() : new DefaultSymbolFactory();
    }

    @Override
    public Tables tables(Object parser) {
        lr_parser it = (lr_parser) parser;
        return Tables.of(it.production_table(), it.action_table(), it.reduce_table(),
                it.start_state(), it.start_production(), it.EOF_sym(), it.error_sym());
    }

    @Override
    public void setScanner(Object parser, Object scanner) {
        ((lr_parser) parser).setScanner((Scanner) scanner);
    }

    @Override
    @SuppressWarnings("unchecked")
    public void begin(Object parser) throws Exception {
        lr_parser it = (lr_parser) parser;
        if (loopOf != it.getClass()) {
            loopOf = it.getClass();
            wantsFreshSymbols = wantsFreshSymbols(loopOf);
        }
        it.production_tab = it.production_table();
        it.action_tab = it.action_table();
        it.reduce_tab = it.reduce_table();
        it.init_actions();
        it.user_init();
        it.stack.removeAllElements();
        it.stack.push(factoryClass == null
                ? new Symbol(0, it.start_state())
                : it.getSymbolFactory().startSymbol("START", 0, it.start_state()));
        it.tos = 0;
        it._done_parsing = false;
    }

    @Override
    public Object scan(Object parser) throws Exception {
        lr_parser it = (lr_parser) parser;
        it.cur_token = it.scan();
        return it.cur_token;
    }

    @Override
    public Object nextToken(Object scanner) throws Exception {
        return ((Scanner) scanner).next_token();
    }

    @Override
    public int number(Object token) {
        return ((Symbol) token).sym;
    }

    @Override
    public Object value(Object token) {
        return ((Symbol) token).value;
    }

    @Override
    public int[] position(Object token) {
        if (complex && token instanceof ComplexSymbolFactory.ComplexSymbol complex
                && complex.xleft != null) {
            return new int[] {1, complex.xleft.getLine(), complex.xleft.getColumn()};
        }
        Symbol symbol = (Symbol) token;
        return new int[] {0, symbol.left, symbol.right};
    }

    @Override
    public boolean isUsed(Object token) {
        return wantsFreshSymbols && ((Symbol) token).used_by_parser;
    }

    @Override
    public void use(Object token) {
        ((Symbol) token).used_by_parser = true;
    }

    @Override
    @SuppressWarnings("unchecked")
    public void push(Object parser, Object symbol, int state) {
        lr_parser it = (lr_parser) parser;
        Symbol top = (Symbol) symbol;
        top.parse_state = state;
        top.used_by_parser = true;
        it.stack.push(top);
        it.tos++;
    }

    @Override
    public void pop(Object parser, int count) {
        lr_parser it = (lr_parser) parser;
        it.tos -= count;
        it.stack.setSize(it.tos + 1);
    }

    @Override
    public Object act(Object parser, int production) throws Exception {
        lr_parser it = (lr_parser) parser;
        return it.do_action(production, it, it.stack, it.tos);
    }

    @Override
    public boolean isDone(Object parser) {
        return ((lr_parser) parser)._done_parsing;
    }
}
