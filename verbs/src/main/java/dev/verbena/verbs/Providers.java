package dev.verbena.verbs;

import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.function.Supplier;

/**
 * The providers that a class loader finds, in the order of {@link ServiceLoader}. If one cannot be
 * loaded, the verb that looked for it throws EIO instead of an error that ends the application. For
 * modules that look up implementations of the interfaces in {@code verbs.spi}.
 */
public final class Providers<P> implements Iterable<P> {
  private final String function;
  private final ServiceLoader<P> loader;

  /**
   * @param function the verb that looks for providers
   * @param loader the loader that finds them
   */
  public Providers(String function, ServiceLoader<P> loader) {
    this.function = function;
    this.loader = loader;
  }

  @Override
  public Iterator<P> iterator() {
    Iterator<P> found = loader.iterator();
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return load(found::hasNext);
      }

      @Override
      public P next() {
        if (!hasNext()) {
          throw new NoSuchElementException();
        }
        return load(found::next);
      }
    };
  }

  /** The error's message names the provider or the file that should name it; its cause says why. */
  private <T> T load(Supplier<T> step) {
    try {
      return step.get();
    } catch (ServiceConfigurationError e) {
      String why = e.getCause() == null ? "" : " (" + e.getCause().getMessage() + ")";
      throw new VerbsException(
          function, Errno.EIO, "a provider cannot be loaded: " + e.getMessage() + why, e);
    }
  }
}
