package dev.verbena.bench.hops;

import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_void;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.Set;

/** Loads Verbena's classes anew, with a call of {@link Recorder} in each method. */
final class CountingLoader extends ClassLoader {
  private static final String OURS = "dev.verbena.";
  private static final ClassDesc RECORDER = ClassDesc.of(Recorder.class.getName());
  private static final MethodTypeDesc ENTER = MethodTypeDesc.of(CD_void, CD_int);
  private static final MethodTypeDesc EXIT = MethodTypeDesc.of(CD_void);

  /** Shared with the counter itself. */
  private static final Set<String> COUNTER =
      Set.of(Recorder.class.getName(), Trace.class.getName());

  CountingLoader(ClassLoader parent) {
    super("counting", parent);
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!name.startsWith(OURS) || COUNTER.contains(name)) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      return loaded != null ? loaded : findClass(name);
    }
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
      if (in == null) {
        throw new ClassNotFoundException(name);
      }
      byte[] original = in.readAllBytes();
      byte[] counted = name.equals(OneWrite.class.getName()) ? original : counted(name, original);
      return defineClass(name, counted, 0, counted.length);
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    }
  }

  private static byte[] counted(String name, byte[] original) {
    ClassFile files = ClassFile.of();
    return files.transformClass(
        files.parse(original),
        ClassTransform.ofStateful(
            () ->
                (builder, element) -> {
                  if (element instanceof MethodModel method) {
                    String label = name + "." + method.methodName().stringValue();
                    builder.transformMethod(
                        method, MethodTransform.transformingCode(counting(label)));
                  } else {
                    builder.with(element);
                  }
                }));
  }

  private static CodeTransform counting(String label) {
    int number = Recorder.number(label);
    return new CodeTransform() {
      @Override
      public void atStart(CodeBuilder builder) {
        builder.loadConstant(number).invokestatic(RECORDER, "enter", ENTER);
      }

      @Override
      public void accept(CodeBuilder builder, CodeElement element) {
        if (element instanceof ReturnInstruction) {
          builder.invokestatic(RECORDER, "exit", EXIT);
        }
        builder.with(element);
      }
    };
  }
}
