package dev.verbena.soft.device;

import dev.verbena.soft.device.cq.SoftCompletionChannel;
import dev.verbena.soft.device.cq.SoftCompletionQueue;
import dev.verbena.soft.device.cq.SoftCompletionQueueEx;
import dev.verbena.soft.device.object.OpenContext;
import dev.verbena.soft.device.object.SoftThreadDomain;
import dev.verbena.soft.device.open.OpenDevice;
import dev.verbena.soft.device.open.ReplyAddress;
import dev.verbena.soft.device.open.SoftPort;
import dev.verbena.soft.device.qp.QpFactory;
import dev.verbena.soft.device.qp.SoftXrcDomain;
import dev.verbena.soft.device.qp.XrcShares;
import dev.verbena.soft.device.raw.SoftRwqIndTable;
import dev.verbena.soft.device.raw.SoftWorkQueue;
import dev.verbena.soft.device.spec.Limits;
import dev.verbena.soft.device.spec.SubnetNode;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.AhAttr;
import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.CompletionChannel;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.CompletionQueueEx;
import dev.verbena.verbs.Counters;
import dev.verbena.verbs.CqInitAttrEx;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.DeviceAttr;
import dev.verbena.verbs.DeviceAttrEx;
import dev.verbena.verbs.Errno;
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
import dev.verbena.verbs.ValuesMask;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WorkQueue;
import dev.verbena.verbs.WqInitAttr;
import dev.verbena.verbs.XrcDomain;
import dev.verbena.verbs.XrcdInitAttr;
import dev.verbena.verbs.provider.AsyncEvents;
import dev.verbena.verbs.provider.Deadline;
import dev.verbena.verbs.provider.LostContexts;
import dev.verbena.verbs.spi.Subnet;
import dev.verbena.verbs.spi.SubnetMember;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A context of a software device: its queries, and the objects that it makes. */
final class SoftContext extends OpenContext implements SubnetMember {
  private final OpenDevices devices;
  private final OpenDevice open;
  private final SoftDevice device;
  private final XrcShares xrcShares;

  SoftContext(OpenDevices devices, OpenDevice open, SoftDevice device, XrcShares xrcShares) {
    super(open, device.name());
    this.devices = devices;
    this.open = open;
    this.device = device;
    this.xrcShares = xrcShares;
    lifetime().begin("openDevice", List.of());
    LostContexts.watch(this, lifetime());
  }

  @Override
  public Device device() {
    lifetime().require("device");
    return device;
  }

  @Override
  public DeviceAttr queryDevice() {
    lifetime().require("queryDevice");
    return Limits.device(device.guid(), open.spec().vendorPartId(), open.spec().linkLayer());
  }

  @Override
  public DeviceAttrEx queryDeviceEx() {
    lifetime().require("queryDeviceEx");
    return Limits.deviceEx(device.guid(), open.spec().vendorPartId(), open.spec().linkLayer());
  }

  @Override
  public PortAttr queryPort(int portNum) {
    lifetime().require("queryPort");
    SoftPort.checkNumber("queryPort", portNum);
    return port().query();
  }

  @Override
  public Gid queryGid(int portNum, int index) {
    lifetime().require("queryGid");
    SoftPort.checkNumber("queryGid", portNum);
    return port().gid("queryGid", index);
  }

  @Override
  public GidEntry queryGidEx(int portNum, int index) {
    lifetime().require("queryGidEx");
    SoftPort.checkNumber("queryGidEx", portNum);
    return port().gidEntry("queryGidEx", index);
  }

  @Override
  public List<GidEntry> queryGidTable() {
    lifetime().require("queryGidTable");
    return port().gidEntries("queryGidTable");
  }

  @Override
  public int queryPkey(int portNum, int index) {
    lifetime().require("queryPkey");
    SoftPort.checkNumber("queryPkey", portNum);
    return port().pkey("queryPkey", index);
  }

  @Override
  public int getPkeyIndex(int portNum, int pkey) {
    lifetime().require("getPkeyIndex");
    SoftPort.checkNumber("getPkeyIndex", portNum);
    for (int index = 0; index < port().pkeyCount(); index++) {
      if (port().pkey("getPkeyIndex", index) == pkey) {
        return index;
      }
    }
    throw new VerbsException(
        "getPkeyIndex",
        Errno.ENOENT,
        "P_Key 0x" + Integer.toHexString(pkey) + " is not in the table of port " + portNum);
  }

  @Override
  public AhAttr initAhFromWc(int portNum, WorkCompletion wc, @Nullable MemorySegment grh) {
    lifetime().require("initAhFromWc");
    return ReplyAddress.of(port(), portNum, wc, grh);
  }

  @Override
  public MacAddress queryMac(int portNum) {
    lifetime().require("queryMac");
    SoftPort.checkNumber("queryMac", portNum);
    port().requireEthernet("queryMac");
    return new MacAddress(ether().mac());
  }

  @Override
  public int numCompVectors() {
    lifetime().require("numCompVectors");
    return Limits.COMP_VECTORS;
  }

  @Override
  public ProtectionDomain allocPd() {
    return SoftProtectionDomain.create(this);
  }

  @Override
  public ThreadDomain allocTd() {
    return SoftThreadDomain.create(this);
  }

  @Override
  public ParentDomain allocParentDomain(ProtectionDomain pd, @Nullable ThreadDomain td) {
    return SoftParentDomain.create(this, pd, td);
  }

  @Override
  public CompletionQueue createCq(
      int cqe, @Nullable Object cqContext, @Nullable CompletionChannel channel, int compVector) {
    return SoftCompletionQueue.create(
        this, new CqInitAttrEx(cqe).cqContext(cqContext).channel(channel).compVector(compVector));
  }

  @Override
  public CompletionQueueEx createCqEx(CqInitAttrEx attr) {
    return SoftCompletionQueueEx.create(this, attr);
  }

  @Override
  public CompletionChannel createCompChannel() {
    return SoftCompletionChannel.create(this);
  }

  @Override
  public QueuePair createQpEx(QpInitAttr attr) {
    return QpFactory.createXrcRecv(this, attr);
  }

  @Override
  public @Nullable QueuePair fromQpNum(int qpNum) {
    return QpFactory.find(lifetime(), qpNum);
  }

  @Override
  public QueuePair openQp(QpOpenAttr attr) {
    return QpFactory.open(this, attr);
  }

  @Override
  public WorkQueue createWq(WqInitAttr attr) {
    return SoftWorkQueue.create(this, attr);
  }

  @Override
  public RwqIndTable createRwqIndTable(List<WorkQueue> indTbl) {
    return SoftRwqIndTable.create(this, indTbl);
  }

  @Override
  public XrcDomain openXrcd(XrcdInitAttr attr) {
    return SoftXrcDomain.open(this, xrcShares, attr);
  }

  @Override
  public ValuesEx queryRtValuesEx(int... mask) {
    lifetime().require("queryRtValuesEx");
    int answered = Access.of(mask) & ValuesMask.RAW_CLOCK;
    return new ValuesEx(answered, answered == 0 ? 0 : engine().clock().now());
  }

  @Override
  public AsyncEvent getAsyncEvent() throws InterruptedException {
    AsyncEvent event = null;
    while (event == null) {
      event = asyncEvents().await(Deadline.never());
    }
    return event;
  }

  @Override
  public @Nullable AsyncEvent getAsyncEvent(Duration timeout) throws InterruptedException {
    return asyncEvents().await(Deadline.after(timeout));
  }

  @Override
  public EventSource asyncEventSource() {
    lifetime().require("asyncEventSource");
    return asyncEvents();
  }

  @Override
  public @Nullable Subnet subnet() {
    lifetime().require("subnet");
    SubnetNode node = open.node();
    return node == null ? null : node.subnet();
  }

  @Override
  public String links() {
    lifetime().require("links");
    return open.links();
  }

  @Override
  public Counters counters() {
    lifetime().require("counters");
    return engine().tally();
  }

  @Override
  public Runnable release() {
    return ending(devices, open, asyncEvents());
  }

  private static Runnable ending(OpenDevices devices, OpenDevice open, AsyncEvents events) {
    Runnable waiting = events.release();
    Reference<AsyncEvents> weakly = events.weakly();
    return () -> {
      waiting.run();
      devices.closed(open, weakly);
    };
  }
}
