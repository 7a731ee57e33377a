package dev.verbena.soft.device.mr;

import dev.verbena.soft.device.object.OpenDomain;
import dev.verbena.soft.device.object.PdObject;
import dev.verbena.soft.engine.Engine;
import dev.verbena.soft.memory.Domain;
import dev.verbena.soft.memory.Window;
import dev.verbena.verbs.Keys;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.MwType;
import dev.verbena.verbs.provider.Kind;
import dev.verbena.verbs.provider.Lifetime;
import dev.verbena.verbs.provider.ObjectRules;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A memory window of the software device. */
public final class SoftMemoryWindow extends PdObject implements MemoryWindow, Lifetime.Ending {
  private final Engine engine;
  private final MwType type;
  private final Window window;
  private final Lifetime lifetime;

  /**
   * Key of the last posted bind of a type 1 window; several queue pairs may bind it concurrently.
   */
  private final AtomicInteger rkey;

  private SoftMemoryWindow(OpenDomain pd, MwType type, String function) {
    super(pd);
    this.type = type;
    engine = pd.openContext().engine();
    WeakReference<SoftMemoryWindow> holder = new WeakReference<>(this);
    Window slot = engine.windows().allocate(type == MwType.TYPE_2, pd.domain(), holder);
    if (slot == null) {
      throw pd.openContext().population().full(function, Kind.MW);
    }
    window = slot;
    rkey = new AtomicInteger(slot.firstKey());
    String name = "0x" + Integer.toHexString(slot.firstKey());
    lifetime = pd.lifetime().child(Kind.MW, name, this);
  }

  public static SoftMemoryWindow allocate(OpenDomain pd, @Nullable MwType given) {
    String function = "allocMw";
    pd.lifetime().require(function);
    MwType type = ObjectRules.windowType(function, given);
    SoftMemoryWindow mw = new SoftMemoryWindow(pd, type, function);
    mw.lifetime.begin(function, List.of());
    return mw;
  }

  /** The window with this entry in the key table; null if it is not one of ours. */
  static @Nullable SoftMemoryWindow of(Window window) {
    return window.holder() instanceof WeakReference<?> holder
            && holder.get() instanceof SoftMemoryWindow mw
        ? mw
        : null;
  }

  /** Its entry in the key table. */
  public Window window() {
    return window;
  }

  /** Identity of its protection domain. */
  public Domain domain() {
    return openPd().domain();
  }

  /**
   * Takes the next key, for a bind of a type 1 window that is being posted; no other bind gets it.
   */
  public int nextKey() {
    return rkey.updateAndGet(Keys::incRkey);
  }

  @Override
  public Lifetime lifetime() {
    return lifetime;
  }

  @Override
  public MwType type() {
    lifetime.require("type");
    return type;
  }

  @Override
  public int rkey() {
    lifetime.require("rkey");
    return rkey.get();
  }

  @Override
  public Runnable release() {
    return ending(engine, window, openPd().domain());
  }

  private static Runnable ending(Engine engine, Window window, Domain domain) {
    return () -> {
      engine.windows().free(window);
      engine.quiesce(domain);
    };
  }

  @Override
  public void dealloc() {
    lifetime.destroy();
  }
}
