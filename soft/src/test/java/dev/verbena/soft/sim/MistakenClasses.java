package dev.verbena.soft.sim;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.function.LongFunction;
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
   * @throws IllegalStateException if the method to change does not exist
   */
  MistakenClasses(Mutation mutation) {
    super(MistakenClasses.class.getClassLoader());
    changedName = mutation.fullName();
    changed = mutation.apply(read(changedName));
  }

  /** Runs seeds with these classes. */
  @SuppressWarnings("unchecked") // of a class that differs from SeedRun only by its loader
  LongFunction<@Nullable Throwable> newSeedRun() {
    try {
      return (LongFunction<@Nullable Throwable>)
          loadClass(SeedRun.class.getName()).getConstructor().newInstance();
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
