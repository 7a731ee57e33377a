package dev.verbena.dropin.object;

import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.CompletionChannel;
import dev.verbena.verbs.Flow;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.ParentDomain;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.RwqIndTable;
import dev.verbena.verbs.ThreadDomain;
import dev.verbena.verbs.XrcDomain;

/**
 * The kinds of objects that a handle may stand for.
 *
 * @param type its Java type
 * @param text its name in messages, as in verbs and not a class name
 */
public record HandleKind<T>(Class<T> type, String text) {
  public static final HandleKind<ContextBinding> CONTEXT =
      new HandleKind<>(ContextBinding.class, "context");
  public static final HandleKind<ProtectionDomain> PD =
      new HandleKind<>(ProtectionDomain.class, "protection domain");
  public static final HandleKind<ParentDomain> PARENT_DOMAIN =
      new HandleKind<>(ParentDomain.class, "parent domain");
  public static final HandleKind<ThreadDomain> TD =
      new HandleKind<>(ThreadDomain.class, "thread domain");
  public static final HandleKind<XrcDomain> XRCD = new HandleKind<>(XrcDomain.class, "XRC domain");
  public static final HandleKind<AddressHandle> AH =
      new HandleKind<>(AddressHandle.class, "address handle");
  public static final HandleKind<MemoryRegion> MR =
      new HandleKind<>(MemoryRegion.class, "memory region");
  public static final HandleKind<MemoryWindow> MW =
      new HandleKind<>(MemoryWindow.class, "memory window");
  public static final HandleKind<CompletionChannel> CHANNEL =
      new HandleKind<>(CompletionChannel.class, "completion channel");
  public static final HandleKind<CqBinding> CQ =
      new HandleKind<>(CqBinding.class, "completion queue");
  public static final HandleKind<SrqBinding> SRQ =
      new HandleKind<>(SrqBinding.class, "shared receive queue");
  static final HandleKind<WqBinding> WQ = new HandleKind<>(WqBinding.class, "work queue");
  public static final HandleKind<RwqIndTable> RWQ_IND_TABLE =
      new HandleKind<>(RwqIndTable.class, "indirection table");
  static final HandleKind<QpBinding> QP = new HandleKind<>(QpBinding.class, "queue pair");
  public static final HandleKind<Flow> FLOW = new HandleKind<>(Flow.class, "flow");
}
