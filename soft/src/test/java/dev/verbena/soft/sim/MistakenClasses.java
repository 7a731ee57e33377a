package dev.verbena.soft.sim;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.FieldRefEntry;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.classfile.constantpool.Utf8Entry;
import java.util.function.LongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A second copy of the classes of the device and of its tests, with one method changed. All other
 * classes are shared.
 */
final class MistakenClasses extends ClassLoader {
  private final String changedName;
  private final byte[] changed;

  /**
   * The classes with a mutation.
   *
   * @throws IllegalStateException if the method to change does not exist, or if its new body uses
   *     what does not exist: such a body only fails, and that would be noticed instead of the
   *     mistake
   */
  MistakenClasses(Mutation mutation) {
    super(MistakenClasses.class.getClassLoader());
    changedName = mutation.fullName();
    changed = mutation.apply(read(changedName));
    for (PoolEntry entry : ClassFile.of().parse(changed).constantPool()) {
      if (entry instanceof MemberRefEntry member && !exists(member, nameOf(member.owner()))) {
        throw new IllegalStateException(
            nameOf(member.owner())
                + " has no "
                + member.name().stringValue()
                + " of type "
                + member.type().stringValue());
      }
    }
  }

  /** Whether a class of the device, or one above it, has a field or method; true for others. */
  private boolean exists(MemberRefEntry member, String className) {
    if (!className.startsWith(Mutation.PACKAGE)) {
      return true;
    }
    ClassModel model = ClassFile.of().parse(read(className));
    boolean isField = member instanceof FieldRefEntry;
    boolean declared =
        isField
            ? model.fields().stream().anyMatch(f -> is(member, f.fieldName(), f.fieldType()))
            : model.methods().stream().anyMatch(m -> is(member, m.methodName(), m.methodType()));
    return declared
        || Stream.concat(model.superclass().stream(), model.interfaces().stream())
            .map(MistakenClasses::nameOf)
            .filter(above -> !above.equals(Object.class.getName()))
            .anyMatch(above -> exists(member, above));
  }

  private static boolean is(MemberRefEntry member, Utf8Entry name, Utf8Entry type) {
    return name.equalsString(member.name().stringValue())
        && type.equalsString(member.type().stringValue());
  }

  private static String nameOf(ClassEntry entry) {
    return entry.asInternalName().replace('/', '.');
  }

  /** Runs seeds of the simulation with these classes. */
  LongFunction<@Nullable Throwable> newSeedRun() {
    return newRun(SeedRun.class);
  }

  /** Runs seeds with these classes. */
  @SuppressWarnings("unchecked") // of a class that differs from the given one only by its loader
  LongFunction<@Nullable Throwable> newRun(Class<? extends LongFunction<@Nullable Throwable>> run) {
    try {
      return (LongFunction<@Nullable Throwable>)
          loadClass(run.getName()).getConstructor().newInstance();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!name.startsWith(Mutation.PACKAGE)) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      return loaded == null ? define(name) : loaded;
    }
  }

  private Class<?> define(String name) {
    byte[] bytes = name.equals(changedName) ? changed : read(name);
    return defineClass(name, bytes, 0, bytes.length);
  }

  private byte[] read(String name) {
    String file = name.replace('.', '/') + ".class";
    try (InputStream in = getParent().getResourceAsStream(file)) {
      if (in == null) {
        throw new IllegalStateException("there is no class " + name);
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
