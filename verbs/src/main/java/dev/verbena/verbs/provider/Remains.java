package dev.verbena.verbs.provider;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * What the device holds for the objects of one context, and how that is freed. It refers to none of
 * these objects: it is what is left of them if the program loses them all without closing them.
 *
 * <p>It is also the lock of the context's {@link Lifetime} tree, under which all of it is called
 * but for {@link #free}.
 */
final class Remains {
  /**
   * Of one object. Two are never equal.
   *
   * @see Lifetime.Ending#release
   */
  static final class Part {
    private final Kind kind;
    private final Runnable release;

    private Part(Kind kind, Runnable release) {
      this.kind = kind;
      this.release = release;
    }

    /** Frees what the device holds for the object. */
    void release() {
      release.run();
    }
  }

  private final Population population;
  private final Set<Part> parts = new LinkedHashSet<>();
  private final Set<Lifetime> heldFast = new HashSet<>();

  /**
   * @param population where the objects are counted
   */
  Remains(Population population) {
    this.population = population;
  }

  /** An object has begun, and was counted. */
  Part add(Kind kind, Runnable release) {
    Part part = new Part(kind, release);
    parts.add(part);
    return part;
  }

  /** An object has ended, and was released. */
  void remove(Part part) {
    parts.remove(part);
    population.remove(part.kind);
  }

  /** The object cannot be lost: the device calls the program by it. */
  void holdFast(Lifetime object) {
    heldFast.add(object);
  }

  /** Takes {@link #holdFast} back. */
  void letGo(Lifetime object) {
    heldFast.remove(object);
  }

  /**
   * Frees all that is left, users first; for when nobody can reach the objects any more.
   *
   * @param failures told what goes wrong, which hinders nothing
   * @return the kinds of what was left
   */
  List<Kind> free(Consumer<RuntimeException> failures) {
    List<Part> left;
    synchronized (this) {
      left = new ArrayList<>(parts);
    }
    left.sort(Comparator.comparing(part -> part.kind));
    for (Part part : left) {
      try {
        part.release();
      } catch (RuntimeException e) {
        failures.accept(e);
      }
      synchronized (this) {
        remove(part);
      }
    }
    return left.stream().map(part -> part.kind).toList();
  }
}
