package org.gramspect.coverage;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.jacoco.core.internal.flow.ClassProbesAdapter;
import org.jacoco.core.internal.flow.ClassProbesVisitor;
import org.jacoco.core.internal.flow.IFrame;
import org.jacoco.core.internal.flow.LabelInfo;
import org.jacoco.core.internal.flow.MethodProbesVisitor;
import org.jacoco.core.internal.instr.InstrSupport;
import org.objectweb.asm.Label;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Which method of a class each of JaCoCo's probes is in.
 *
 * <p>A method was executed if one of its probes was. Constructors, initializers and what compilers
 * add have no entry.
 */
final class Methods extends ClassProbesVisitor {
  private final String className;
  private String[] ofProbe = new String[16];

  private Methods(String className) {
    this.className = className;
  }

  /** By probe: the method that it is in, or null. */
  static String[] ofProbes(byte[] classFile, String className) {
    Methods found = new Methods(className);
    InstrSupport.classReaderFor(classFile).accept(new ClassProbesAdapter(found, false), 0);
    return found.ofProbe;
  }

  @Override
  public MethodProbesVisitor visitMethod(
      int access, String name, String descriptor, String signature, String[] exceptions) {
    boolean added = (access & Opcodes.ACC_SYNTHETIC) != 0;
    return new InMethod(name.startsWith("<") || added ? null : described(name, descriptor));
  }

  @Override
  public void visitTotalProbeCount(int count) {
    ofProbe = Arrays.copyOf(ofProbe, count);
  }

  /** {@code p.Parser.parse(String, int)}. */
  private String described(String name, String descriptor) {
    return Arrays.stream(Type.getArgumentTypes(descriptor))
        .map(Type::getClassName)
        .map(type -> type.substring(type.lastIndexOf('.') + 1))
        .collect(Collectors.joining(", ", className + "." + name + "(", ")"));
  }

  private final class InMethod extends MethodProbesVisitor {
    private final String name;

    InMethod(String name) {
      this.name = name;
    }

    private void has(int probe) {
      if (probe == LabelInfo.NO_PROBE) {
        return;
      }
      if (probe >= ofProbe.length) {
        ofProbe = Arrays.copyOf(ofProbe, 2 * probe);
      }
      ofProbe[probe] = name;
    }

    @Override
    public void visitProbe(int probe) {
      has(probe);
    }

    @Override
    public void visitJumpInsnWithProbe(int opcode, Label label, int probe, IFrame frame) {
      has(probe);
    }

    @Override
    public void visitInsnWithProbe(int opcode, int probe) {
      has(probe);
    }

    @Override
    public void visitTableSwitchInsnWithProbes(
        int min, int max, Label otherwise, Label[] labels, IFrame frame) {
      visitSwitch(otherwise, labels);
    }

    @Override
    public void visitLookupSwitchInsnWithProbes(
        Label otherwise, int[] keys, Label[] labels, IFrame frame) {
      visitSwitch(otherwise, labels);
    }

    private void visitSwitch(Label otherwise, Label[] labels) {
      has(LabelInfo.getProbeId(otherwise));
      for (Label label : labels) {
        has(LabelInfo.getProbeId(label));
      }
    }
  }
}
