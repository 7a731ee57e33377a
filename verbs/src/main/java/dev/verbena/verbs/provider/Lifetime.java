package dev.verbena.verbs.provider;

import dev.verbena.verbs.Errno;
import dev.verbena.verbs.ObjectClosedException;
import dev.verbena.verbs.VerbsException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * When an object ends, and what must end with it or before it. Every object has one. It knows its
 * owner, the objects made from it, and the objects outside the tree that use it; one lock per
 * context guards all of this.
 *
 * <p>An object ends in three steps: it is reserved, so that nothing new can be made from it; its
 * unacknowledged events are awaited; it is torn down. Until then its methods work.
 */
public final class Lifetime {
  /** The actions at the end of one object. */
  public interface Ending {
    /**
     * Waits until no event of the object is unacknowledged; then none can be taken any more. Undoes
     * nothing if interrupted.
     */
    default void awaitEvents() throws InterruptedException {}

    /** Treats the taken events as acknowledged; ends {@link #awaitEvents}. */
    default void dropEvents() {}

    /**
     * Called for all objects that end together, before the first of them ends. The object is to
     * hold nothing any more that others wait for at their end.
     */
    default void prepare() {}

    /**
     * Objects that currently use this one, besides those that named it when they began. Called with
     * the tree's lock.
     */
    default Collection<Lifetime> presentUsers() {
      return List.of();
    }

    /**
     * Frees what the device holds for the object, if the device alone knows what uses it and may
     * refuse. Called before the end of an object that ends by itself, and not in a cascade.
     *
     * @throws VerbsException if it is in use; then nothing has changed
     */
    default void freeIfUnused() {}

    /**
     * Returns the action that frees everything the device holds for the object; called once, when
     * the object begins. The action runs without the tree's lock, and must refer neither to the
     * object nor to anything else that leads to the context, because it also ends an object that
     * the program has lost.
     */
    Runnable release();

    /**
     * Ends the part of the object that only the program sees, after its {@link #release}. Called
     * once, without the tree's lock.
     */
    default void tearDown() {}
  }

  private enum State {
    NEW,
    OPEN,
    RESERVED,
    CLOSED
  }

  /** The {@link Ending#release} of an object for which the device holds nothing. */
  public static final Runnable NOTHING = () -> {};

  private static final String IN_USE = " is in use by ";

  /** How many objects a message names. */
  private static final int NAMED = 3;

  /** One for the whole tree; also the monitor on which concurrent closers wait. */
  private final Remains tree;

  private final Population population;
  private final Kind kind;
  private final String name;
  private final Ending ending;
  private final Set<Lifetime> children = new LinkedHashSet<>();
  private final Set<Lifetime> users = new LinkedHashSet<>();
  private final Set<Lifetime> used = new LinkedHashSet<>();
  private @Nullable Lifetime owner;
  private Remains.@Nullable Part part;
  private State state = State.NEW;

  /** Whether the object has ended. */
  volatile boolean closed;

  private Lifetime(Remains tree, Population population, Kind kind, String name, Ending ending) {
    this.tree = tree;
    this.population = population;
    this.kind = kind;
    this.name = name;
    this.ending = ending;
  }

  /** The lifetime of a context, which has no owner. */
  public static Lifetime root(String name, Population population, Ending ending) {
    return root(name, population, Comparator.naturalOrder(), ending);
  }

  /**
   * The lifetime of a context whose device wants kinds of objects to end in another order, if they
   * end together, than that of {@link Kind}.
   */
  public static Lifetime root(
      String name, Population population, Comparator<Kind> order, Ending ending) {
    return new Lifetime(new Remains(population, order), population, Kind.CONTEXT, name, ending);
  }

  /** The lifetime of an object made from this one; it counts once it has {@link #begin begun}. */
  public Lifetime child(Kind childKind, String childName, Ending childEnding) {
    String fullName = childKind.text() + " " + childName;
    Lifetime child = new Lifetime(tree, population, childKind, fullName, childEnding);
    child.owner = this;
    return child;
  }

  /**
   * The object is complete: from now on its owner closes it.
   *
   * @param function the call that makes it
   * @param uses objects that must not end before it
   * @throws VerbsException if the owner or a used object has ended, and ENOMEM if there are too
   *     many of its kind; the object is then torn down
   */
  public void begin(String function, List<Lifetime> uses) {
    Runnable release = ending.release();
    VerbsException refusal;
    synchronized (tree) {
      refusal = refusal(function, uses);
      if (refusal == null) {
        part = tree.add(kind, release);
        if (owner != null) {
          owner.children.add(this);
        }
        uses.forEach(this::use);
        state = State.OPEN;
        return;
      }
      closed = true;
      state = State.CLOSED;
    }
    try {
      release.run();
      ending.tearDown();
    } catch (RuntimeException e) {
      refusal.addSuppressed(e);
    }
    throw refusal;
  }

  private @Nullable VerbsException refusal(String function, List<Lifetime> uses) {
    Lifetime gone = firstGone(uses);
    if (gone != null) {
      return new ObjectClosedException(function, gone.name);
    }
    return population.add(kind) ? null : population.full(function, kind);
  }

  private @Nullable Lifetime firstGone(List<Lifetime> uses) {
    if (owner != null && owner.state != State.OPEN) {
      return owner;
    }
    for (Lifetime other : uses) {
      if (other.state != State.OPEN) {
        return other;
      }
    }
    return null;
  }

  private void use(Lifetime other) {
    used.add(other);
    other.users.add(this);
  }

  /**
   * Gives the object another owner.
   *
   * @throws ObjectClosedException if the new owner has ended
   */
  public void move(String function, Lifetime newOwner) {
    synchronized (tree) {
      if (newOwner.state != State.OPEN) {
        throw new ObjectClosedException(function, newOwner.name);
      }
      leaveOwner();
      owner = newOwner;
      newOwner.children.add(this);
    }
  }

  /**
   * The first matching object of this type that was made, directly or indirectly, from this one.
   */
  public <T> @Nullable T find(Class<T> type, Predicate<T> fits) {
    synchronized (tree) {
      for (Lifetime child : children) {
        if (type.isInstance(child.ending) && fits.test(type.cast(child.ending))) {
          return type.cast(child.ending);
        }
        T below = child.find(type, fits);
        if (below != null) {
          return below;
        }
      }
      return null;
    }
  }

  /** Name in messages: "QP 0x11". */
  public String name() {
    return name;
  }

  /** Whether the object has ended. */
  public boolean isClosed() {
    return closed;
  }

  /**
   * Every method of an object starts with this.
   *
   * @throws ObjectClosedException if it has ended
   */
  public void require(String function) {
    if (closed) {
      throw new ObjectClosedException(function, name);
    }
  }

  /**
   * Ends this object alone.
   *
   * @throws VerbsException EBUSY with objects made from it or using it; EINTR if interrupted while
   *     events were unacknowledged. Then nothing has changed
   */
  public void destroy() {
    String function = kind.end();
    synchronized (tree) {
      require(function);
      refuseBusy(function, children, " still has ");
      refuseBusy(function, allUsers(), IN_USE);
      if (state != State.OPEN) {
        throw new ObjectClosedException(function, name);
      }
      state = State.RESERVED;
    }
    try {
      ending.awaitEvents();
    } catch (InterruptedException e) {
      if (release()) {
        Thread.currentThread().interrupt();
        throw new VerbsException(
            function,
            Errno.EINTR,
            name
                + " has events that were retrieved and not acknowledged; interrupted while waiting",
            e);
      }
      Thread.currentThread().interrupt();
    }
    freeIfUnused();
    end();
  }

  /** Leaves the object usable if the device refuses to give it up. */
  private void freeIfUnused() {
    try {
      ending.freeIfUnused();
    } catch (VerbsException e) {
      if (release()) {
        throw e;
      }
    }
  }

  /**
   * Makes a reserved object usable again; returns false if another thread has closed it meanwhile.
   */
  private boolean release() {
    synchronized (tree) {
      if (closed) {
        return false;
      }
      state = State.OPEN;
      return true;
    }
  }

  private Set<Lifetime> allUsers() {
    Set<Lifetime> all = new LinkedHashSet<>(users);
    all.addAll(ending.presentUsers());
    return all;
  }

  private void refuseBusy(String function, Set<Lifetime> busy, String relation) {
    if (!busy.isEmpty()) {
      throw new VerbsException(function, Errno.EBUSY, name + relation + named(busy) + remedy(busy));
    }
  }

  /** The first few names: "QP 0x11, QP 0x12, QP 0x13 and 5 more". */
  private static String named(Set<Lifetime> busy) {
    String first = busy.stream().limit(NAMED).map(Lifetime::name).collect(Collectors.joining(", "));
    return busy.size() > NAMED ? first + " and " + (busy.size() - NAMED) + " more" : first;
  }

  /** Try-with-resources ends an object before those that a loop made, which it does not know. */
  private static String remedy(Set<Lifetime> busy) {
    boolean queuePairs = busy.stream().allMatch(each -> each.kind == Kind.QP);
    return "; close the Context, which ends everything, or "
        + (queuePairs ? "close the queue pairs first" : "end what is named here first");
  }

  /**
   * Ends this object and everything made from it, users first; does nothing if it has ended.
   *
   * @throws VerbsException EBUSY if something outside this subtree uses a part of it; then nothing
   *     has changed
   */
  public void close() {
    List<Lifetime> all = new ArrayList<>();
    synchronized (tree) {
      if (closed) {
        return;
      }
      collect(all);
      for (Lifetime part : all) {
        Set<Lifetime> outside = part.allUsers();
        outside.removeIf(user -> user.isPartOf(this));
        part.refuseBusy(kind.end(), outside, IN_USE);
      }
      all.forEach(part -> part.state = State.RESERVED);
    }
    if (all.size() == 1) {
      freeIfUnused();
    }
    all.sort(Comparator.comparing(part -> part.kind, tree.order()));
    FirstFailure failure = new FirstFailure();
    for (Lifetime part : all) {
      failure.attempt(part.ending::prepare);
    }
    for (Lifetime part : all) {
      part.ending.dropEvents();
      failure.attempt(part::end);
    }
    failure.throwIfAny();
  }

  private boolean isPartOf(Lifetime whole) {
    Lifetime part = this;
    while (part != null && part != whole) {
      part = part.owner;
    }
    return part != null;
  }

  private void collect(List<Lifetime> into) {
    children.forEach(child -> child.collect(into));
    into.add(this);
  }

  /**
   * Marks that the device calls the program through this object, until it ends or {@link #letGo};
   * it cannot be lost meanwhile.
   */
  void holdFast() {
    synchronized (tree) {
      if (!closed) {
        tree.holdFast(this);
      }
    }
  }

  /** Undoes {@link #holdFast}. */
  void letGo() {
    synchronized (tree) {
      tree.letGo(this);
    }
  }

  /** The remains of the whole tree, without its objects. */
  Remains remains() {
    return tree;
  }

  /** Tears the object down and removes it from the tree, or waits until another thread has. */
  private void end() {
    Remains.Part own;
    synchronized (tree) {
      if (closed) {
        awaitClosed();
        return;
      }
      own = Objects.requireNonNull(part, name + " has not begun");
      closed = true;
    }
    try {
      free(own);
    } finally {
      synchronized (tree) {
        state = State.CLOSED;
        tree.remove(own);
        tree.letGo(this);
        leaveOwner();
        used.forEach(other -> other.users.remove(this));
        tree.notifyAll();
      }
    }
  }

  private void free(Remains.Part own) {
    try {
      own.release();
    } finally {
      ending.tearDown();
    }
  }

  private void awaitClosed() {
    boolean interrupted = false;
    while (state != State.CLOSED) {
      try {
        tree.wait();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void leaveOwner() {
    if (owner != null) {
      owner.children.remove(this);
    }
  }
}
