package dev.verbena.rdmacore.device;

import dev.verbena.rdmacore.call.Functions;
import dev.verbena.rdmacore.call.Handle;
import dev.verbena.rdmacore.call.Libibverbs;
import dev.verbena.rdmacore.call.Operations;
import dev.verbena.rdmacore.event.ContextEvents;
import dev.verbena.rdmacore.event.Elements;
import dev.verbena.rdmacore.post.Regions;
import dev.verbena.rdmacore.post.SendSides;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.AhAttr;
import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.CompletionChannel;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.CompletionQueueEx;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Counters;
import dev.verbena.verbs.CqInitAttrEx;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.DeviceAttr;
import dev.verbena.verbs.DeviceAttrEx;
import dev.verbena.verbs.DeviceMemory;
import dev.verbena.verbs.EventSource;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.GidEntry;
import dev.verbena.verbs.MacAddress;
import dev.verbena.verbs.ParentDomain;
import dev.verbena.verbs.PortAttr;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QpOpenAttr;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.RwqIndTable;
import dev.verbena.verbs.ThreadDomain;
import dev.verbena.verbs.ValuesEx;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WorkQueue;
import dev.verbena.verbs.WqInitAttr;
import dev.verbena.verbs.XrcDomain;
import dev.verbena.verbs.XrcdInitAttr;
import dev.verbena.verbs.provider.AsyncEvents;
import dev.verbena.verbs.provider.ContextObject;
import dev.verbena.verbs.provider.Kind;
import dev.verbena.verbs.provider.Lifetime;
import dev.verbena.verbs.provider.LostContexts;
import dev.verbena.verbs.provider.Population;
import dev.verbena.verbs.provider.Unsupported;
import dev.verbena.verbs.provider.WaitSignal;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A device of libibverbs that is open. */
final class NativeContext implements Context, Lifetime.Ending {
  /**
   * Windows first, as in the kernel when a process dies: a driver may wait with the end of a queue
   * pair for that of a window of type 2 that is bound to it (rxe's does, for 50 seconds).
   */
  static final Comparator<Kind> CLOSING_ORDER =
      Comparator.<Kind, Boolean>comparing(kind -> kind != Kind.MW)
          .thenComparing(Comparator.naturalOrder());

  private final NativeDevice device;
  private final Handle handle;
  private final Lifetime lifetime;
  private final Queries queries;
  private final Elements elements = new Elements();
  private final SendSides sendSides = new SendSides();
  private final Regions regions = new Regions();
  private final AsyncEvents asyncEvents;
  private final ContextEvents eventSource;
  private final AtomicInteger numbers = new AtomicInteger();
  private final Operations operations;

  private NativeContext(NativeDevice device, long address) {
    String name = "context of " + device.name();
    this.device = device;
    this.operations = new Operations(address);
    this.handle =
        new Handle(
            name,
            address,
            context ->
                Functions.CLOSE_DEVICE
                    .call("closeDevice", context)
                    .orThrow("closeDevice", "to close the " + name));
    // The library says when there are too many objects.
    Population population = new Population(kind -> Integer.MAX_VALUE);
    this.lifetime = Lifetime.root(name, population, CLOSING_ORDER, this);
    this.queries = new Queries(handle);
    this.asyncEvents = new AsyncEvents(this, lifetime, new WaitSignal(() -> {}));
    this.eventSource =
        new ContextEvents(name, handle, ContextEvents.LIBRARY, elements, asyncEvents);
  }

  /** The context at this address. */
  static NativeContext of(NativeDevice device, long address) {
    NativeContext context =
        NativeObject.construct(
            address,
            "openDevice",
            Functions.CLOSE_DEVICE,
            () -> new NativeContext(device, address));
    context.lifetime.begin("openDevice", List.of());
    LostContexts.watch(context, context.lifetime);
    return context;
  }

  Lifetime lifetime() {
    return lifetime;
  }

  Handle handle() {
    return handle;
  }

  /** As {@link ContextObject#own}. */
  <T extends NativeObject> T own(String verb, Object object, Class<T> type) {
    return ContextObject.own(this, lifetime.name(), verb, object, type);
  }

  /** As {@link #own} for an object that need not be given, which is then noted as used. */
  <T extends NativeObject> @Nullable T ownIfGiven(
      String verb, @Nullable Object object, Class<T> type, List<Lifetime> uses) {
    return ContextObject.ownIfGiven(this, lifetime.name(), verb, object, type, uses);
  }

  /** What the driver offers. */
  Operations operations() {
    return operations;
  }

  /** Where its objects raise events. */
  AsyncEvents asyncEvents() {
    return asyncEvents;
  }

  /** Its objects that have events. */
  Elements elements() {
    return elements;
  }

  /** The sides of its queue pairs that send. */
  SendSides sendSides() {
    return sendSides;
  }

  /** Its memory regions. */
  Regions regions() {
    return regions;
  }

  /** Tells objects of this context apart in messages. */
  String nextNumber() {
    return Integer.toString(numbers.incrementAndGet());
  }

  @Override
  public Device device() {
    lifetime.require("device");
    return device;
  }

  @Override
  public int numCompVectors() {
    return queries.numCompVectors("numCompVectors");
  }

  @Override
  public DeviceAttr queryDevice() {
    return queries.device("queryDevice");
  }

  @Override
  public DeviceAttrEx queryDeviceEx() {
    return queries.deviceEx("queryDeviceEx");
  }

  @Override
  public PortAttr queryPort(int portNum) {
    return queries.port("queryPort", portNum);
  }

  @Override
  public ValuesEx queryRtValuesEx(int... mask) {
    return queries.values("queryRtValuesEx", Access.of(mask));
  }

  @Override
  public Gid queryGid(int portNum, int index) {
    return queries.gid("queryGid", portNum, index);
  }

  @Override
  public GidEntry queryGidEx(int portNum, int index) {
    return queries.gidEntry("queryGidEx", portNum, index);
  }

  @Override
  public List<GidEntry> queryGidTable() {
    return queries.gidTable("queryGidTable");
  }

  @Override
  public int queryPkey(int portNum, int index) {
    return queries.pkey("queryPkey", portNum, index);
  }

  @Override
  public int getPkeyIndex(int portNum, int pkey) {
    return queries.pkeyIndex("getPkeyIndex", portNum, pkey);
  }

  @Override
  public AhAttr initAhFromWc(int portNum, WorkCompletion wc, @Nullable MemorySegment grh) {
    return queries.sender("initAhFromWc", portNum, wc, grh);
  }

  @Override
  public MacAddress queryMac(int portNum) {
    return queries.mac("queryMac", portNum);
  }

  @Override
  public ProtectionDomain allocPd() {
    return NativeProtectionDomain.alloc(this);
  }

  @Override
  public DeviceMemory allocDm(long length, int logAlignReq) {
    return NativeDeviceMemory.alloc(this, length, logAlignReq);
  }

  @Override
  public ThreadDomain allocTd() {
    return NativeThreadDomain.alloc(this);
  }

  @Override
  public ParentDomain allocParentDomain(ProtectionDomain pd, @Nullable ThreadDomain td) {
    return NativeParentDomain.alloc(this, pd, td);
  }

  @Override
  public CompletionQueue createCq(
      int cqe, @Nullable Object cqContext, @Nullable CompletionChannel channel, int compVector) {
    return NativeCompletionQueue.create(
        this, new CqInitAttrEx(cqe).cqContext(cqContext).channel(channel).compVector(compVector));
  }

  @Override
  public CompletionQueueEx createCqEx(CqInitAttrEx attr) {
    return NativeCompletionQueueEx.create(this, attr);
  }

  @Override
  public CompletionChannel createCompChannel() {
    return NativeCompletionChannel.create(this);
  }

  @Override
  public QueuePair createQpEx(QpInitAttr attr) {
    return QueuePairFactory.createXrcRecv(this, attr);
  }

  @Override
  public QueuePair openQp(QpOpenAttr attr) {
    return QueuePairFactory.open(this, attr);
  }

  @Override
  public XrcDomain openXrcd(XrcdInitAttr attr) {
    return NativeXrcDomain.open(this, attr);
  }

  @Override
  public WorkQueue createWq(WqInitAttr attr) {
    return NativeWorkQueue.create(this, attr);
  }

  @Override
  public RwqIndTable createRwqIndTable(List<WorkQueue> indTbl) {
    return NativeRwqIndTable.create(this, indTbl);
  }

  /** Of what libibverbs may have, but not this provider. */
  RuntimeException missing(String verb, String what) {
    lifetime.require(verb);
    return Unsupported.verb(verb, "devices of libibverbs have no " + what + " in this release");
  }

  @Override
  public AsyncEvent getAsyncEvent() throws InterruptedException {
    return eventSource.await();
  }

  @Override
  public @Nullable AsyncEvent getAsyncEvent(Duration timeout) throws InterruptedException {
    return eventSource.await(timeout);
  }

  @Override
  public EventSource asyncEventSource() {
    lifetime.require("asyncEventSource");
    return eventSource;
  }

  @Override
  public @Nullable QueuePair fromQpNum(int qpNum) {
    return QueuePairFactory.find(lifetime, qpNum);
  }

  @Override
  public Counters counters() {
    lifetime.require("counters");
    return new DriverCounters(device.name(), Libibverbs.DEVICES.resolve(device.name()));
  }

  @Override
  public boolean isClosed() {
    return lifetime.isClosed();
  }

  @Override
  public void close() {
    lifetime.close();
  }

  @Override
  public Runnable release() {
    return handle.endingAfter(asyncEvents.release(), eventSource.descriptor()::close);
  }

  @Override
  public String toString() {
    return lifetime.name();
  }
}
