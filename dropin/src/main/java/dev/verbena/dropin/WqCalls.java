package dev.verbena.dropin;

import dev.verbena.dropin.object.HandleKind;
import dev.verbena.dropin.object.Handles;
import dev.verbena.dropin.object.WqBinding;
import dev.verbena.rdmacore.host.Host;
import dev.verbena.rdmacore.layout.IbvQpInitAttrEx;
import dev.verbena.rdmacore.layout.IbvRwqIndTable;
import dev.verbena.rdmacore.layout.IbvWq;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.RwqIndTable;
import dev.verbena.verbs.RxHashConf;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WorkQueue;
import dev.verbena.verbs.WqInitAttr;
import dev.verbena.verbs.WqState;
import java.util.ArrayList;
import java.util.List;

/** Calls about work queues and their tables. */
final class WqCalls {
  /** Limit for the size of a table, which cannot be validated before the table is read. */
  private static final int MOST_LOG_SIZE = 16;

  static long createWq(long context, long pd, long cq, long maxWr, long maxSge, long struct) {
    WqBinding binding = new WqBinding(struct);
    WorkQueue wq =
        DeviceCalls.context(context)
            .createWq(
                new WqInitAttr(DomainCalls.pd(pd), Handles.get(cq, HandleKind.CQ).queue())
                    .maxWr((int) maxWr)
                    .maxSge((int) maxSge)
                    .wqContext(binding));
    binding.bind(wq, (int) maxSge);
    Host.setInt(struct + IbvWq.WQ_NUM, wq.wqNum());
    Host.setInt(struct + IbvWq.HANDLE, (int) Handles.add(wq.context(), binding));
    return 0;
  }

  static long modifyWq(long handle, long state) {
    WqBinding.get(handle).queue().modify(WqState.of((int) state));
    return 0;
  }

  static long destroyWq(long handle) {
    WqBinding.get(handle).queue().destroy();
    Handles.remove(handle);
    return 0;
  }

  static long createRwqIndTable(long context, long logSize, long wqs, long struct) {
    if (logSize > MOST_LOG_SIZE) {
      throw new VerbsException("createRwqIndTable", Errno.EINVAL, "log_ind_tbl_size=" + logSize);
    }
    long size = 1L << logSize;
    HostNative.require("createRwqIndTable", "ind_tbl", wqs, size * Long.BYTES);
    List<WorkQueue> entries = new ArrayList<>();
    for (long i = 0; i < size; i++) {
      long wq = Host.getLong(wqs + i * Long.BYTES);
      HostNative.require("createRwqIndTable", "ind_tbl[" + i + "]", wq, IbvWq.LAYOUT.size());
      entries.add(WqBinding.get(Host.getInt(wq + IbvWq.HANDLE)).queue());
    }
    RwqIndTable table = DeviceCalls.context(context).createRwqIndTable(entries);
    int handle = (int) Handles.add(table.context(), table);
    Host.setInt(struct + IbvRwqIndTable.IND_TBL_HANDLE, handle);
    Host.setInt(struct + IbvRwqIndTable.IND_TBL_NUM, handle);
    return 0;
  }

  static long destroyRwqIndTable(long handle) {
    Handles.get(handle, HandleKind.RWQ_IND_TABLE).destroy();
    Handles.remove(handle);
    return 0;
  }

  /** Reads the hash of a struct ibv_qp_init_attr_ex. */
  static RxHashConf rxHashConf(long attr) {
    int keyLength = Host.getByte(attr + IbvQpInitAttrEx.RX_HASH_CONF_RX_HASH_KEY_LEN);
    long keyAddress = Host.getLong(attr + IbvQpInitAttrEx.RX_HASH_CONF_RX_HASH_KEY);
    HostNative.require("createQpEx", "rx_hash_key", keyAddress, keyLength);
    byte[] key = new byte[keyLength];
    for (int i = 0; i < key.length; i++) {
      key[i] = (byte) Host.getByte(keyAddress + i);
    }
    long fields = Host.getLong(attr + IbvQpInitAttrEx.RX_HASH_CONF_RX_HASH_FIELDS_MASK);
    int function = Host.getByte(attr + IbvQpInitAttrEx.RX_HASH_CONF_RX_HASH_FUNCTION);
    return new RxHashConf(function, key, fields);
  }

  private WqCalls() {}
}
