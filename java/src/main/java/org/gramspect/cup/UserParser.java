package org.gramspect.cup;

import java.util.Arrays;
import org.gramspect.isolation.Guard;
import org.gramspect.isolation.IsolatedLoader;
import org.gramspect.isolation.Outcome;

/** A user's parser and scanner, loaded once in a loader of their own. */
public final class UserParser {
    final IsolatedLoader loader;
    final CupRuntime runtime;
    private final Maker parser;
    private final Maker scanner;
    private final boolean sharesFactory;

    /**
     * @throws LoadProblem a class is missing or not what it should be
     */
    UserParser(ParserSpec spec) throws LoadProblem {
        loader = IsolatedLoader.of(spec.classpath(), null);
        Class<?> parserType = spec.parser() == null ? null : load(Maker.className(spec.parser()));
        Class<?> scannerType =
                spec.scanner() == null ? null : load(Maker.className(spec.scanner()));
        runtime = runtime(parserType, scannerType, spec);
        try {
            scanner = scannerType == null
                    ? null
                    : Maker.of(scannerType, spec.scanner(), null, runtime.factoryClass());
            sharesFactory = scanner != null && runtime.factoryClass() != null
                    && scanner.takesFactory(runtime.factoryClass());
            parser = parserType == null
                    ? null
                    : Maker.of(parserType, spec.parser(), scanner == null ? null : scanner.type(),
                            sharesFactory ? runtime.factoryClass() : null);
        } catch (NoSuchMethodException problem) {
            throw new LoadProblem(problem.getMessage());
        }
        check(parser, runtime.parserClass(), "parser");
        check(scanner, runtime.scannerClass(), "scanner");
    }

    /** A parser that was loaded, or why it could not be. */
    public record Opened(UserParser parser, String problem) {}

    /** Loads a user's parser and scanner; their code runs. */
    public static Opened open(ParserSpec spec) throws Exception {
        return Guard.quietly(null, () -> {
            Outcome<UserParser> outcome = Guard.call(() -> new UserParser(spec));
            if (outcome.returned()) {
                return new Opened(outcome.value(), null);
            }
            return new Opened(null, outcome.thrown() instanceof LoadProblem problem
                    ? problem.getMessage()
                    : "the parser cannot be loaded: it " + outcome.reason());
        });
    }

    private static void check(Maker maker, Class<?> expected, String what) throws LoadProblem {
        if (maker != null && !expected.isAssignableFrom(maker.type())) {
            throw new LoadProblem(maker.type().getName() + " is no " + what + " of CUP: it is no "
                    + expected.getName());
        }
    }

    /** Loads and initializes a class. */
    private Class<?> load(String name) throws LoadProblem {
        try {
            return Class.forName(name, true, loader);
        } catch (ClassNotFoundException missing) {
            throw new LoadProblem("there is no class " + name + " on the classpath");
        } catch (NoClassDefFoundError missing) {
            throw LoadProblem.needs(name, missing);
        } catch (LinkageError problem) {
            throw LoadProblem.of(name, problem);
        }
    }

    /** The runtime that the classes are made for: the package of their common ancestors tells. */
    private CupRuntime runtime(Class<?> parserType, Class<?> scannerType, ParserSpec spec)
            throws LoadProblem {
        String packageName = parserType == null ? null : RuntimePackage.of(parserType);
        if (packageName == null && scannerType != null) {
            packageName = RuntimePackage.of(scannerType);
        }
        if (packageName == null) {
            packageName = "java_cup.runtime"; // the class has a factory method, or is none of CUP's
        }
        try {
            loader.loadClass(packageName + ".lr_parser");
            return RuntimePackage.access(loader, packageName);
        } catch (ClassNotFoundException | NoClassDefFoundError missing) {
            throw LoadProblem.noRuntime(packageName, missing);
        }
    }

    Class<?> scannerClass() {
        return scanner.type();
    }

    /**
     * The names of the terminals by the numbers that the scanner gives; null where not known.
     *
     * @param given the class that has them, or null
     * @param usual where else to look first
     * @return null if the given class is missing
     */
    public String[] scannerNames(String given, String usual) {
        try {
            return SymbolNames.ofScanner(this, given, usual);
        } catch (LoadProblem missing) {
            return null;
        }
    }

    /** Whether it knows where to read a text: by a scanner, by itself, or by code of its own. */
    public boolean readsText() {
        return scanner != null || parser.takesInput() || scansItself(parser.type());
    }

    /** Whether a parser has its own way to get tokens ({@code scan with}). */
    private boolean scansItself(Class<?> type) {
        return type != runtime.parserClass()
                && (Arrays.stream(type.getDeclaredMethods()).anyMatch(
                        m -> m.getName().equals("scan") && m.getParameterCount() == 0)
                || scansItself(type.getSuperclass()));
    }

    boolean hasParser() {
        return parser != null;
    }

    boolean hasScanner() {
        return scanner != null;
    }

    /**
     * A scanner and a parser for one input.
     *
     * @throws Exception what the user's code throws
     */
    Instance make(String text) throws Exception {
        Object factory = sharesFactory ? runtime.newFactory() : null;
        Object tokens = scanner == null ? null : scanner.make(text, null, factory);
        if (parser == null) {
            return new Instance(null, tokens);
        }
        Object made = parser.make(text, tokens, factory);
        if (tokens != null && !parser.takesScanner(tokens.getClass())) {
            runtime.setScanner(made, tokens);
        }
        return new Instance(made, tokens);
    }

    /** What parses one input; the parser is null if there is only a scanner, and the other way round. */
    record Instance(Object parser, Object scanner) {}

    /** What a parser's classes say: its tables, and the names of its symbols. */
    public record Contents(Tables tables, SymbolNames names, String problem) {}

    /** Reads tables and names; the code that makes a parser runs. */
    public Contents contents(String symbolsClass) throws Exception {
        return Guard.quietly(loader, () -> {
            Outcome<Contents> outcome = Guard.call(() -> {
                Object instance = make("").parser();
                Tables tables = runtime.tables(instance);
                return new Contents(
                        tables, SymbolNames.of(this, instance, symbolsClass, tables), null);
            });
            if (outcome.returned()) {
                return outcome.value();
            }
            Throwable problem = outcome.thrown();
            String name = parser.type().getName();
            return new Contents(null, null, (problem instanceof NoClassDefFoundError missing
                    ? LoadProblem.needs(name, missing)
                    : LoadProblem.of(name, problem)).getMessage());
        });
    }
}
