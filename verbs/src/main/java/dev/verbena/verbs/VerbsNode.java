package dev.verbena.verbs;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Provides information about a device of a verbs provider, through a context that is open on it, or
 * else one opened for the query. It keeps no context open or reachable.
 */
final class VerbsNode implements NodeSource {
  private final Device device;
  private final List<WeakReference<Context>> contexts = new ArrayList<>();

  VerbsNode(Device device) {
    this.device = device;
  }

  @Override
  public Device device() {
    return device;
  }

  @Override
  public NodeSnapshot node() {
    DeviceAttr attr = ask(Context::queryDevice);
    return new NodeSnapshot(
        device.nodeType(),
        new Guid(attr.nodeGuid()),
        new Guid(attr.sysImageGuid()),
        "",
        attr.fwVer(),
        Integer.toString(attr.hwVer()),
        "",
        String.format("0x%04x:0x%04x", attr.vendorId(), attr.vendorPartId()),
        attr.physPortCnt());
  }

  @Override
  public PortSnapshot port(int portNum) {
    return ask(context -> PortSnapshot.of(context, portNum));
  }

  /**
   * Queries this context from now on, while it is open.
   *
   * @return whether there was none before
   */
  boolean attach(Context context) {
    synchronized (contexts) {
      boolean first = open() == null;
      contexts.removeIf(known -> isGone(known.get()));
      if (contexts.stream().noneMatch(known -> known.refersTo(context))) {
        contexts.add(new WeakReference<>(context));
      }
      return first;
    }
  }

  private <T> T ask(Function<Context, T> question) {
    Context open = open();
    if (open != null) {
      try {
        return question.apply(open);
      } catch (ObjectClosedException e) {
        // Another thread closed it meanwhile: query a context of our own.
      }
    }
    try (Context own = device.open()) {
      return question.apply(own);
    }
  }

  private @Nullable Context open() {
    synchronized (contexts) {
      for (Iterator<WeakReference<Context>> each = contexts.iterator(); each.hasNext(); ) {
        Context context = each.next().get();
        if (!isGone(context)) {
          return context;
        }
        each.remove();
      }
      return null;
    }
  }

  private static boolean isGone(@Nullable Context context) {
    return context == null || context.isClosed();
  }
}
