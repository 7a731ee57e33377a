package dev.verbena.verbs.provider;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * What the device holds for the objects of one context, and how to free it. It refers to none of
 * these objects: it remains if the program loses them all without closing them.
 *
 * <p>It is also the lock of the context's {@link Lifetime} tree. All methods except {@link #free}
 * are called under this lock.
 */
final class Remains {
  /**
   * The part of one object. Two are never equal.
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
  private final Comparator<Kind> order;
  private final Set<Part> parts = new LinkedHashSet<>();
  private final Set<Lifetime> heldFast = new HashSet<>();

  /**
   * @param population where the objects are counted
   * @param order in which kinds of objects end together
   */
  Remains(Population population, Comparator<Kind> order) {
    this.population = population;
    this.order = order;
  }

  /** The order in which kinds of objects end together. */
  Comparator<Kind> order() {
    return order;
  }

  /** An object has begun, and has been counted. */
  Part add(Kind kind, Runnable release) {
    Part part = new Part(kind, release);
    parts.add(part);
    return part;
  }

  /** An object has ended, and has been released. */
  void remove(Part part) {
    parts.remove(part);
    population.remove(part.kind);
  }

  /** Keeps the object reachable, because the device calls the program through it. */
  void holdFast(Lifetime object) {
    heldFast.add(object);
  }

  /** Undoes {@link #holdFast}. */
  void letGo(Lifetime object) {
    heldFast.remove(object);
  }

  /**
   * Frees everything left, users first, once the objects are unreachable.
   *
   * @param failures receives failures, which stop nothing
   * @return the kinds of the objects left
   */
  List<Kind> free(Consumer<RuntimeException> failures) {
    List<Part> left;
    synchronized (this) {
      left = new ArrayList<>(parts);
    }
    left.sort(Comparator.comparing(part -> part.kind, order));
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
