package org.gramspect.cup;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.Opcodes;

/**
 * The names of a parser's symbols by their numbers, null where they are not known.
 *
 * <p>Terminals are constants of a class that CUP generates, usually called {@code sym}. Non-terminals are
 * there as well if CUP was asked for them; else their names are in the generated actions ({@link
 * ActionNames}), since version 0.11b.
 */
public record SymbolNames(String[] terminals, String[] nonterminals) {
    /** A constant of a class, in the order of the class file. */
    record Constant(String name, int value) {}

    /**
     * @param given the class of the terminals, null to look for it
     * @throws LoadProblem there is no such class
     */
    static SymbolNames of(UserParser user, Object parser, String given, Tables tables)
            throws LoadProblem {
        List<Constant> constants = given != null
                ? givenConstants(user.loader, given)
                : foundConstants(user, parser);
        int terminals = numberOfTerminals(constants, tables);
        String[] names = new String[Math.max(tables.terminals, 1 + largest(constants, terminals))];
        constants.subList(0, terminals).forEach(c -> names[c.value] = c.name);
        String[] nonterminals = ActionNames.of(user.loader, parser.getClass(), tables.nonterminals);
        for (Constant c : constants.subList(terminals, constants.size())) {
            if (c.value < nonterminals.length) {
                nonterminals[c.value] = c.name;
            }
        }
        return new SymbolNames(names, nonterminals);
    }

    /** The names of the terminals that a scanner without a parser makes; empty if none are found. */
    static String[] ofScanner(UserParser user, String given, String usual) throws LoadProblem {
        List<Constant> constants = given != null
                ? givenConstants(user.loader, given)
                : constants(user.loader, usual);
        if (constants.isEmpty()) {
            constants = near(user, user.scannerClass());
        }
        String[] names = new String[1 + largest(constants, constants.size())];
        for (Constant constant : constants) {
            names[constant.value] = constant.name;
        }
        return names;
    }

    private static int largest(List<Constant> constants, int count) {
        return constants.subList(0, count).stream().mapToInt(Constant::value).max().orElse(-1);
    }

    private static List<Constant> givenConstants(ClassLoader loader, String name)
            throws LoadProblem {
        List<Constant> constants = constants(loader, name);
        if (constants.isEmpty()) {
            throw new LoadProblem("the class " + name
                    + " with the numbers of the terminals is not on the classpath, or has none");
        }
        return constants;
    }

    /** Where CUP says that they are, in {@code sym} beside the parser, or beside the scanner. */
    private static List<Constant> foundConstants(UserParser user, Object parser) {
        try {
            Class<?> named = (Class<?>) parser.getClass()
                    .getMethod("getSymbolContainer").invoke(parser);
            if (named != null) {
                return constants(user.loader, named.getName());
            }
        } catch (ReflectiveOperationException older) {
            // before 0.11b
        }
        List<Constant> beside = near(user, parser.getClass());
        return beside.isEmpty() && user.hasScanner() ? near(user, user.scannerClass()) : beside;
    }

    /** The constants of {@code sym} in the package of a class, or of an interface that it has. */
    private static List<Constant> near(UserParser user, Class<?> type) {
        String prefix = type.getPackageName().isEmpty() ? "" : type.getPackageName() + ".";
        List<Constant> found = constants(user.loader, prefix + "sym");
        for (Class<?> each : found.isEmpty() ? type.getInterfaces() : new Class<?>[0]) {
            List<Constant> inherited = constants(user.loader, each.getName());
            if (inherited.stream().anyMatch(c -> c.name.equals("EOF"))) {
                return inherited;
            }
        }
        return found;
    }

    /** The static final ints of a class, which is not loaded; empty if it is not there. */
    private static List<Constant> constants(ClassLoader loader, String className) {
        List<Constant> found = new ArrayList<>();
        String file = className.replace('.', '/') + ".class";
        try (InputStream stream = loader.getResourceAsStream(file)) {
            if (stream == null) {
                return found;
            }
            new ClassReader(stream.readAllBytes()).accept(new ClassVisitor(Opcodes.ASM9) {
                @Override
                public FieldVisitor visitField(int access, String name, String type,
                        String signature, Object value) {
                    if (type.equals("I") && value instanceof Integer number && number >= 0) {
                        found.add(new Constant(name, number));
                    }
                    return null;
                }
            }, ClassReader.SKIP_CODE);
        } catch (IOException | RuntimeException unreadable) {
            found.clear();
        }
        return found;
    }

    /**
     * How many of the constants are terminals. They come first, and have the numbers from 0 on; the
     * non-terminals after them, if there are any, are numbered from 0 again.
     */
    private static int numberOfTerminals(List<Constant> constants, Tables tables) {
        boolean[] seen = new boolean[constants.size()];
        Set<Integer> values = new HashSet<>();
        boolean repeats = constants.stream().anyMatch(c -> !values.add(c.value));
        int distinct = 0;
        int largest = -1;
        for (int count = 1; repeats && count <= constants.size(); count++) {
            int value = constants.get(count - 1).value;
            if (value >= seen.length || seen[value]) {
                break;
            }
            seen[value] = true;
            distinct++;
            largest = Math.max(largest, value);
            int rest = constants.size() - count;
            boolean fits = rest == tables.nonterminals || rest == tables.nonterminals - 1;
            if (fits && largest == distinct - 1 && count >= tables.terminals) {
                return count;
            }
        }
        return repeats ? 0 : constants.size();
    }
}
