package dev.verbena.soft.device.post;

import dev.verbena.soft.device.mr.SoftMemoryRegion;
import dev.verbena.soft.device.mr.SoftMemoryWindow;
import dev.verbena.soft.device.object.OpenContext;
import dev.verbena.soft.memory.Binding;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.MwBindInfo;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.provider.BindRules;
import org.jspecify.annotations.Nullable;

/**
 * The rules for posting binds of memory windows (S1.3.7, S2.15, S5.3.2). Checks that depend on the
 * time of execution are made then, and appear in the completion.
 */
public final class WindowRules {
  private static final String BIND = "bindMw";

  private final OpenContext context;
  private final QpType type;

  public WindowRules(OpenContext context, QpType type) {
    this.context = context;
    this.type = type;
  }

  /** Why a BIND_MW work request is refused, or null. */
  @Nullable Refusal request(@Nullable MemoryWindow mw, @Nullable MwBindInfo info) {
    if (mw == null || info == null) {
      return Refusal.invalid("BIND_MW needs a window and bind_info");
    }
    if (!(mw instanceof SoftMemoryWindow window) || !window.isOf(context)) {
      return Refusal.invalid(mw + " belongs to another context");
    }
    if (window.isClosed()) {
      return Refusal.invalid(window.lifetime().name() + " is closed");
    }
    if (!window.window().isType2()) {
      return Refusal.invalid(mw + " is of type 1, which QueuePair.bindMw binds");
    }
    return region(info.mr());
  }

  private @Nullable Refusal region(@Nullable MemoryRegion mr) {
    return mr == null || (mr instanceof SoftMemoryRegion own && own.isOf(context))
        ? null
        : Refusal.invalid(mr + " belongs to another context, or is a null region");
  }

  /** Fills in the binding, which {@link #request} has accepted. */
  static void fill(Binding binding, MemoryWindow mw, int rkey, MwBindInfo info) {
    if (mw instanceof SoftMemoryWindow window) {
      int lkey = info.mr() instanceof SoftMemoryRegion mr ? mr.regionKey() : 0;
      binding.set(window.window(), rkey, lkey, info.addr(), info.length(), info.mwAccessFlags());
    }
  }

  /**
   * The window of ibv_bind_mw (S5.3.2).
   *
   * @throws VerbsException EINVAL; EPERM if region and window are of different domains
   */
  SoftMemoryWindow ofType1(MemoryWindow mw, MwBindInfo info) {
    SoftMemoryWindow window = context.own(BIND, mw, SoftMemoryWindow.class);
    BindRules.type1(window, info, type);
    MemoryRegion mr = info.mr();
    if (mr == null) {
      return window;
    }
    SoftMemoryRegion region = context.own(BIND, mr, SoftMemoryRegion.class);
    if (region.domain() != window.domain()) {
      throw new VerbsException(
          BIND, Errno.EPERM, mr + " and " + mw + " are of different protection domains");
    }
    return window;
  }
}
