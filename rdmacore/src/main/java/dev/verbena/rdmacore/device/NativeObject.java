package dev.verbena.rdmacore.device;

import dev.verbena.rdmacore.call.FunctionNative;
import dev.verbena.rdmacore.call.Handle;
import dev.verbena.verbs.provider.ContextObject;
import dev.verbena.verbs.provider.Kind;
import dev.verbena.verbs.provider.Lifetime;
import java.util.List;
import java.util.function.LongFunction;
import java.util.function.Supplier;

/** An object of a context that is a struct of the library. */
abstract class NativeObject extends ContextObject implements Lifetime.Ending {
  private final NativeContext context;
  private final Lifetime lifetime;
  private final Handle handle;

  /**
   * @param owner of which it is made
   * @param number tells it apart from others of its kind, in messages
   * @param address of its struct
   * @param end the function that destroys the struct
   */
  NativeObject(
      NativeContext context,
      Lifetime owner,
      Kind kind,
      String number,
      long address,
      FunctionNative end) {
    this.context = context;
    this.lifetime = owner.child(kind, number, this);
    String name = lifetime.name();
    String verb = kind.end();
    this.handle =
        new Handle(name, address, struct -> end.call(verb, struct).orThrow(verb, "to end " + name));
  }

  /** An object that is made of the context alone. */
  NativeObject(NativeContext context, Kind kind, long address, FunctionNative end) {
    this(context, context.lifetime(), kind, context.nextNumber(), address, end);
  }

  /** Makes a struct for which the library needs the context only, and its object. */
  static <T extends NativeObject> T make(
      NativeContext context,
      Kind kind,
      String verb,
      FunctionNative create,
      FunctionNative end,
      LongFunction<T> constructor) {
    try (Handle.Use use = context.handle().use(verb)) {
      long struct =
          create
              .call(verb, use.address())
              .pointer(verb, "another " + kind.text() + " of " + context);
      return make(struct, verb, end, () -> constructor.apply(struct), List.of());
    }
  }

  /**
   * Makes the object of a struct, and begins its life.
   *
   * @param uses objects that must not end before it
   */
  static <T extends NativeObject> T make(
      long struct, String verb, FunctionNative end, Supplier<T> constructor, List<Lifetime> uses) {
    return begin(construct(struct, verb, end, constructor), verb, uses);
  }

  /** Begins the life of an object; if it cannot be enlisted, it ends. */
  static <T extends NativeObject> T begin(T object, String verb, List<Lifetime> uses) {
    T enlisted =
        undoing(
            () -> {
              object.enlist();
              return object;
            },
            () -> {
              object.release().run();
              object.tearDown();
            });
    enlisted.lifetime().begin(verb, uses);
    return enlisted;
  }

  /**
   * Makes the object of a struct. If that fails, for example because memory runs out, the struct is
   * destroyed, since nobody else would.
   */
  static <T> T construct(long struct, String verb, FunctionNative end, Supplier<T> constructor) {
    return undoing(constructor, () -> end.call(verb, struct).orThrow(verb, "to end a struct"));
  }

  /** What a step results in; if it fails, for whatever reason, what was done before is undone. */
  static <T> T undoing(Supplier<T> step, Runnable undo) {
    try {
      return step.get();
    } catch (Throwable e) {
      try {
        undo.run();
      } catch (RuntimeException | Error failure) {
        e.addSuppressed(failure);
      }
      throw e;
    }
  }

  /**
   * Adds the object to the tables in which its context finds it, before its life begins. {@link
   * #release} removes it.
   */
  void enlist() {}

  @Override
  public final NativeContext home() {
    return context;
  }

  @Override
  public final Lifetime lifetime() {
    return lifetime;
  }

  /** Its struct. */
  final Handle handle() {
    return handle;
  }
}
