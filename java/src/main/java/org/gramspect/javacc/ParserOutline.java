package org.gramspect.javacc;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.gramspect.buffers.Numbers;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.IntInsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.LineNumberNode;
import org.objectweb.asm.tree.LookupSwitchInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TableSwitchInsnNode;

/**
 * What a parser class that JavaCC has generated consists of, read from its byte code.
 *
 * <p>A production is a method; the places in it that consume a token or call a production are its
 * <i>sites</i>. JavaCC generates the code of an expansion in the order of the text, so sites are in the
 * order of the grammar file. Which site can follow which is the control flow between them.
 */
public final class ParserOutline {
    /** The codes of sites: a token of some kind, a production. */
    static final int TOKEN = 0;
    static final int CALL = 1;

    /** A site: its code, the kind or production, and the line in the generated file (0: unknown). */
    record Site(int code, int argument, int line, int candidate) {}

    /**
     * A production: its method, its sites in order, and what can follow the start (0) and each site
     * (from 1): sites, and the end (0).
     */
    record Production(String name, String descriptor, boolean isStatic, List<Site> sites,
            List<BitSet> follow, int candidates) {
        /** The site (from 1) of each call that may be one, or 0. */
        int[] siteOfCandidate() {
            int[] numbers = new int[candidates];
            for (int site = 0; site < sites.size(); site++) {
                numbers[sites.get(site).candidate] = site + 1;
            }
            return numbers;
        }
    }

    final String className;
    final String superName;
    final List<String> interfaces;
    final String sourceFile;
    final boolean isStatic;

    /** The internal name of the class of syntax errors. */
    public final String errorClass;
    final List<Production> productions = new ArrayList<>();

    /** The productions by name and descriptor of the method. */
    private final Map<String, Integer> numbers = new LinkedHashMap<>();

    /** Reads a class; null if it is no generated parser. */
    public static ParserOutline read(byte[] bytes) {
        ClassNode node = new ClassNode();
        new ClassReader(bytes).accept(node, 0);
        MethodNode consume = find(node, Calls.CONSUME);
        if (consume == null || consume.exceptions.isEmpty()) {
            return null;
        }
        return new ParserOutline(node, consume);
    }

    private ParserOutline(ClassNode node, MethodNode consume) {
        className = node.name;
        superName = node.superName;
        interfaces = node.interfaces;
        sourceFile = node.sourceFile;
        isStatic = (consume.access & Opcodes.ACC_STATIC) != 0;
        errorClass = consume.exceptions.get(0);
        List<MethodNode> methods = productionMethods(node);
        for (MethodNode method : methods) {
            numbers.put(method.name + method.desc, numbers.size());
        }
        for (MethodNode method : methods) {
            productions.add(new Flow(method).read());
        }
    }

    private static MethodNode find(ClassNode node, String name) {
        return node.methods.stream().filter(m -> m.name.equals(name)).findFirst().orElse(null);
    }

    /**
     * Productions are final and throw syntax errors, and so do Java code productions, which newer
     * releases do not make final: those are methods that productions call and that consume tokens.
     */
    private List<MethodNode> productionMethods(ClassNode node) {
        Map<String, MethodNode> candidates = new LinkedHashMap<>();
        for (MethodNode method : node.methods) {
            if (method.exceptions.contains(errorClass) && !Calls.isBoilerplate(method.name)) {
                candidates.put(method.name + method.desc, method);
            }
        }
        Deque<MethodNode> pending = new ArrayDeque<>();
        for (MethodNode method : candidates.values()) {
            if ((method.access & Opcodes.ACC_FINAL) != 0) {
                pending.add(method);
            }
        }
        List<MethodNode> found = new ArrayList<>(pending);
        while (!pending.isEmpty()) {
            for (AbstractInsnNode code : pending.remove().instructions) {
                if (code instanceof MethodInsnNode call && call.owner.equals(className)) {
                    MethodNode called = candidates.get(call.name + call.desc);
                    if (called != null && !found.contains(called) && consumes(called)) {
                        found.add(called);
                        pending.add(called);
                    }
                }
            }
        }
        found.sort((a, b) -> node.methods.indexOf(a) - node.methods.indexOf(b));
        return found;
    }

    private boolean consumes(MethodNode method) {
        for (AbstractInsnNode code : method.instructions) {
            if (code instanceof MethodInsnNode call && Calls.consumes(className, call.owner, call.name)) {
                return true;
            }
        }
        return false;
    }

    /** The production that a call calls, or -1. */
    int production(String owner, String name, String descriptor) {
        return owner.equals(className) ? numbers.getOrDefault(name + descriptor, -1) : -1;
    }

    /**
     * The productions in numbers: for each the number of its sites and three numbers for each site
     * (code, argument, line); then for the start and each site the number of what can follow, and that.
     */
    int[] numbers() {
        Numbers out = new Numbers();
        for (Production production : productions) {
            out.add(production.sites.size());
            for (Site site : production.sites) {
                out.addAll(site.code, site.argument, site.line);
            }
            for (BitSet next : production.follow) {
                out.add(next.cardinality());
                next.stream().forEach(out::add);
            }
        }
        return out.toArray();
    }

    /** By production: the numbers of the sites by candidate. */
    int[][] sites() {
        return productions.stream().map(Production::siteOfCandidate).toArray(int[][]::new);
    }

    /** A number for each production and all that it consists of, but for lines of generated code. */
    public int[] digests() {
        int[] found = new int[productions.size()];
        for (int i = 0; i < found.length; i++) {
            Production production = productions.get(i);
            Numbers all = new Numbers();
            all.add(production.name.hashCode());
            for (Site site : production.sites) {
                all.addAll(site.code, site.argument);
            }
            for (BitSet next : production.follow) {
                all.addAll(next.cardinality());
                next.stream().forEach(all::add);
            }
            found[i] = Arrays.hashCode(all.toArray());
        }
        return found;
    }

    /** The control flow of one method. */
    private final class Flow {
        private final MethodNode method;
        private final InsnList code;
        private final Map<AbstractInsnNode, Integer> siteAt = new HashMap<>();
        private final List<Site> sites = new ArrayList<>();
        private final List<AbstractInsnNode> places = new ArrayList<>();
        private final List<AbstractInsnNode> afterJsr = new ArrayList<>();
        private int candidates;

        Flow(MethodNode method) {
            this.method = method;
            this.code = method.instructions;
            int line = 0;
            for (AbstractInsnNode insn : code) {
                if (insn instanceof LineNumberNode number) {
                    line = number.line;
                } else if (insn.getOpcode() == Opcodes.JSR) {
                    afterJsr.add(insn.getNext());
                } else if (insn instanceof MethodInsnNode call) {
                    int called = production(call.owner, call.name, call.desc);
                    if (called >= 0) {
                        add(insn, new Site(CALL, called, line, candidates++));
                    } else if (Calls.consumes(className, call.owner, call.name)) {
                        token(insn, call.name, line, candidates++);
                    }
                }
            }
        }

        /** What Java code consumes, of whatever kind, is no site. */
        private void token(AbstractInsnNode insn, String name, int line, int candidate) {
            Integer kind = name.equals(Calls.CONSUME) ? constant(before(insn)) : null;
            if (kind != null && kind >= 0) {
                add(insn, new Site(TOKEN, kind, line, candidate));
            }
        }

        private void add(AbstractInsnNode insn, Site site) {
            sites.add(site);
            siteAt.put(insn, sites.size());
            places.add(insn);
        }

        Production read() {
            List<BitSet> follow = new ArrayList<>();
            follow.add(from(code.getFirst()));
            for (AbstractInsnNode place : places) {
                follow.add(from(place.getNext()));
            }
            return new Production(method.name, method.desc,
                    (method.access & Opcodes.ACC_STATIC) != 0, sites, follow, candidates);
        }

        /** The sites, and 0 for the end, that can be reached without another site on the way. */
        private BitSet from(AbstractInsnNode start) {
            BitSet found = new BitSet();
            Map<AbstractInsnNode, Boolean> seen = new HashMap<>();
            Deque<AbstractInsnNode> pending = new ArrayDeque<>();
            pending.push(start);
            while (!pending.isEmpty()) {
                AbstractInsnNode insn = pending.pop();
                if (insn == null || seen.put(insn, true) != null) {
                    continue;
                }
                Integer site = siteAt.get(insn);
                if (site != null) {
                    found.set(site);
                } else if (isReturn(insn)) {
                    found.set(0);
                } else if (!alwaysFails(insn)) {
                    successors(insn, pending);
                }
            }
            return found;
        }

        /** {@code jj_consume_token(-1)}, with which generated code makes its errors. */
        private boolean alwaysFails(AbstractInsnNode insn) {
            if (insn instanceof MethodInsnNode call && call.owner.equals(className)
                    && call.name.equals(Calls.CONSUME)) {
                Integer kind = constant(before(insn));
                return kind != null && kind < 0;
            }
            return false;
        }

        private void successors(AbstractInsnNode insn, Deque<AbstractInsnNode> pending) {
            if (insn instanceof JumpInsnNode jump) {
                pending.push(jump.label);
                if (insn.getOpcode() == Opcodes.GOTO || insn.getOpcode() == Opcodes.JSR) {
                    return;
                }
            } else if (insn instanceof TableSwitchInsnNode table) {
                targets(table.labels, table.dflt, pending);
                return;
            } else if (insn instanceof LookupSwitchInsnNode lookup) {
                targets(lookup.labels, lookup.dflt, pending);
                return;
            } else if (insn.getOpcode() == Opcodes.RET) {
                afterJsr.forEach(pending::push);
                return;
            } else if (insn.getOpcode() == Opcodes.ATHROW) {
                return;
            }
            pending.push(insn.getNext());
        }

        private void targets(
                List<LabelNode> labels, LabelNode other, Deque<AbstractInsnNode> pending) {
            labels.forEach(pending::push);
            pending.push(other);
        }

        private boolean isReturn(AbstractInsnNode insn) {
            return insn.getOpcode() >= Opcodes.IRETURN && insn.getOpcode() <= Opcodes.RETURN;
        }

        private AbstractInsnNode before(AbstractInsnNode insn) {
            AbstractInsnNode previous = insn.getPrevious();
            while (previous != null && previous.getOpcode() < 0) {
                previous = previous.getPrevious();
            }
            return previous;
        }

        /** The number that an instruction pushes, or null. */
        private Integer constant(AbstractInsnNode insn) {
            if (insn instanceof IntInsnNode push) {
                return push.operand;
            } else if (insn instanceof LdcInsnNode load && load.cst instanceof Integer value) {
                return value;
            } else if (insn != null && insn.getOpcode() >= Opcodes.ICONST_M1
                    && insn.getOpcode() <= Opcodes.ICONST_5) {
                return insn.getOpcode() - Opcodes.ICONST_0;
            }
            return null;
        }
    }
}
