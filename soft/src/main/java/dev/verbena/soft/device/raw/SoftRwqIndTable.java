package dev.verbena.soft.device.raw;

import dev.verbena.soft.device.object.OpenContext;
import dev.verbena.soft.device.object.SoftObject;
import dev.verbena.soft.device.spec.Limits;
import dev.verbena.soft.engine.ether.FrameTarget;
import dev.verbena.soft.engine.ether.HashedTarget;
import dev.verbena.soft.transport.frames.ToeplitzHash;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.RwqIndTable;
import dev.verbena.verbs.RxHashConf;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WorkQueue;
import dev.verbena.verbs.provider.Kind;
import dev.verbena.verbs.provider.Lifetime;
import dev.verbena.verbs.provider.ObjectRules;
import java.util.List;

/** An indirection table of the software device. */
public final class SoftRwqIndTable extends SoftObject implements RwqIndTable, Lifetime.Ending {
  private static final String CREATE = "createRwqIndTable";

  private final OpenContext context;
  private final List<SoftWorkQueue> wqs;
  private final Lifetime lifetime;

  private SoftRwqIndTable(OpenContext context, List<SoftWorkQueue> wqs) {
    this.context = context;
    this.wqs = wqs;
    lifetime = context.lifetime().child(Kind.RWQ_IND_TABLE, context.nextNumber(), this);
  }

  public static SoftRwqIndTable create(OpenContext context, List<WorkQueue> entries) {
    context.lifetime().require(CREATE);
    int size = entries.size();
    ObjectRules.tableSize(CREATE, size);
    if (size > Limits.MAX_RWQ_IND_TABLE_SIZE) {
      throw new VerbsException(
          CREATE,
          Errno.EINVAL,
          "%d entries are more than max_rwq_indirection_table_size=%d"
              .formatted(size, Limits.MAX_RWQ_IND_TABLE_SIZE));
    }
    List<SoftWorkQueue> wqs =
        entries.stream().map(each -> context.own(CREATE, each, SoftWorkQueue.class)).toList();
    SoftRwqIndTable table = new SoftRwqIndTable(context, wqs);
    table.lifetime.begin(CREATE, wqs.stream().map(SoftWorkQueue::lifetime).toList());
    return table;
  }

  /** The receiver for a hash, which has been checked. */
  public FrameTarget hashedBy(RxHashConf conf) {
    return new HashedTarget(
        wqs.stream().map(SoftWorkQueue::runtime).toList(),
        new ToeplitzHash(conf.rxHashKey(), conf.rxHashFieldsMask()));
  }

  @Override
  public OpenContext openContext() {
    return context;
  }

  @Override
  public Lifetime lifetime() {
    return lifetime;
  }

  @Override
  public List<WorkQueue> wqs() {
    lifetime.require("wqs");
    return List.copyOf(wqs);
  }

  @Override
  public Runnable release() {
    return Lifetime.NOTHING;
  }

  @Override
  public void destroy() {
    lifetime.destroy();
  }
}
