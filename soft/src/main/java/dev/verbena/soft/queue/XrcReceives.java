package dev.verbena.soft.queue;

import dev.verbena.soft.memory.Domain;
import java.util.Objects;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Receives of an XRC_RECV queue pair: each request names a shared queue of the XRC domain (S7.5). A
 * queue that has ended is no longer found; a receive taken from it is dropped.
 */
public final class XrcReceives implements ReceiveSource {
  private final IntFunction<@Nullable XrcQueue> queues;

  /** Spare receives to leave in place of taken ones, by their number of elements. */
  private final @Nullable RecvWqe[] spares;

  private @Nullable XrcQueue selected;
  private int selectedNumber;
  private boolean hasNamed;
  private @Nullable RecvWqe taken;

  /**
   * @param queues finds a shared queue of the XRC domain by number, or returns null
   * @param maxSge most elements of a receive of any of them
   */
  public XrcReceives(IntFunction<@Nullable XrcQueue> queues, int maxSge) {
    this.queues = queues;
    spares = new @Nullable RecvWqe[maxSge + 1];
  }

  @Override
  public boolean select(int srqNum) {
    XrcQueue named = queues.apply(srqNum);
    if (taken != null && !Objects.equals(named, selected)) {
      return false;
    }
    selected = named;
    selectedNumber = srqNum;
    hasNamed = true;
    return named != null;
  }

  @Override
  public @Nullable Domain keyDomain(int srqNum) {
    XrcQueue named = queues.apply(srqNum);
    return named == null ? null : named.domain();
  }

  @Override
  public boolean isPosted() {
    return taken != null || (selected != null && !selected.queue().isEmpty());
  }

  @Override
  public @Nullable RecvWqe take() {
    if (taken == null && selected != null) {
      SharedRecvQueue queue = selected.queue();
      RecvWqe spare = spares[queue.maxSge()];
      if (spare == null) {
        spare = queue.newSpare();
        spares[queue.maxSge()] = spare;
      }
      taken = queue.take(spare);
      if (taken != null) {
        spares[queue.maxSge()] = null;
      }
    }
    return taken;
  }

  @Override
  public @Nullable RecvWqe owned() {
    return taken != null && source().equals(queues.apply(selectedNumber)) ? taken : null;
  }

  @Override
  public void release() {
    if (taken != null) {
      spares[source().queue().maxSge()] = taken;
      taken = null;
    }
  }

  @Override
  public void putBack() {
    RecvWqe unused = owned();
    if (unused != null) {
      taken = source().queue().putBack(unused);
    }
    release();
  }

  @Override
  public void reset() {
    putBack();
  }

  @Override
  public CompletionRing ring() {
    return source().ring();
  }

  @Override
  public Domain domain() {
    return source().domain();
  }

  private XrcQueue source() {
    if (selected == null) {
      throw new IllegalStateException("no shared receive queue was selected");
    }
    return selected;
  }

  /** Any domain, because the domains of future requests are unknown. */
  @Override
  public boolean mayTouch(Domain memory) {
    return true;
  }

  @Override
  public void dump(StringBuilder text) {
    String number = " 0x" + Integer.toHexString(selectedNumber);
    if (selected == null) {
      text.append("of the shared queues that requests name; ");
      text.append(
          hasNamed
              ? "the last has named" + number + ", which does not exist"
              : "none has named one yet");
      return;
    }
    selected.queue().dump(text);
    text.append(number).append(", which the last request has named");
    text.append(taken != null ? ", and one taken from it" : "");
  }

  @Override
  public boolean isShared() {
    return true;
  }
}
