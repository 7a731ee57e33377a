package dev.verbena.dropin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.rdmacore.host.Host;
import dev.verbena.rdmacore.host.Structs;
import dev.verbena.rdmacore.layout.IbvContext;
import dev.verbena.rdmacore.layout.IbvDeviceAttr;
import dev.verbena.rdmacore.layout.IbvDeviceAttrEx;
import dev.verbena.rdmacore.layout.IbvGidEntry;
import dev.verbena.rdmacore.layout.IbvPortAttr;
import dev.verbena.rdmacore.layout.IbvValuesEx;
import dev.verbena.rdmacore.layout.VerbsContext;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.DeviceAttrEx;
import dev.verbena.verbs.DeviceCapEx;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.GidEntry;
import dev.verbena.verbs.RssCaps;
import dev.verbena.verbs.ValuesMask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Queries of the device and its port. */
final class DeviceVerbsTest {
  /** Size of a port's attributes before port_cap_flags2 was added. */
  private static final int SHORT_PORT_ATTR = 48;

  private static final int UNTOUCHED = 0x5a;

  private final Program program = new Program();
  private final long context = program.context();

  /** The same device, seen from Java. */
  private final Context java = Devices.open(Verbs.DEVICE);

  @AfterEach
  void end() {
    java.close();
    program.close();
  }

  @Test
  void theDeviceSaysTheSameInEveryFieldAsInJava() {
    long attr = program.struct(IbvDeviceAttr.LAYOUT);
    assertThat(Verbs.callInt("ibv_query_device", context, attr)).isZero();
    StructAssert.assertSame(IbvDeviceAttr.LAYOUT, attr, java.queryDevice());
  }

  @Test
  void theExtendedAttributesAreTheSameToo() {
    long attr = untouched(IbvDeviceAttrEx.LAYOUT.size());
    DeviceAttrEx wanted = java.queryDeviceEx();

    assertThat(queryDeviceEx(attr, IbvDeviceAttrEx.LAYOUT.size())).isZero();

    StructAssert.assertSame(IbvDeviceAttr.LAYOUT, attr, wanted.origAttr());
    assertThat(Host.getLong(attr + IbvDeviceAttrEx.ODP_CAPS_GENERAL_CAPS))
        .isEqualTo(wanted.odpCaps().generalCaps());
    assertThat(Host.getLong(attr + IbvDeviceAttrEx.COMPLETION_TIMESTAMP_MASK))
        .isEqualTo(wanted.completionTimestampMask());
    assertThat(Host.getLong(attr + IbvDeviceAttrEx.HCA_CORE_CLOCK))
        .isEqualTo(wanted.hcaCoreClock());
    assertThat(Host.getLong(attr + IbvDeviceAttrEx.DEVICE_CAP_FLAGS_EX))
        .isEqualTo(wanted.deviceCapFlagsEx() & ~DeviceCapEx.FLUSH_PERSISTENT);
    assertThat(Host.getInt(attr + IbvDeviceAttrEx.TSO_CAPS_MAX_TSO)).isEqualTo(wanted.maxTso());
    assertThat(Host.getInt(attr + IbvDeviceAttrEx.TSO_CAPS_SUPPORTED_QPTS))
        .isEqualTo(wanted.tsoSupportedQpts());
    assertThat(Host.getInt(attr + IbvDeviceAttrEx.RAW_PACKET_CAPS))
        .isEqualTo(wanted.rawPacketCaps());
    assertThat(Host.getShort(attr + IbvDeviceAttrEx.CQ_MOD_CAPS_MAX_CQ_COUNT))
        .isEqualTo(wanted.maxCqModerationCount());
    assertThat(Host.getShort(attr + IbvDeviceAttrEx.CQ_MOD_CAPS_MAX_CQ_PERIOD))
        .isEqualTo(wanted.maxCqModerationPeriod());
    assertThat(Host.getLong(attr + IbvDeviceAttrEx.MAX_DM_SIZE)).isEqualTo(wanted.maxDmSize());
    assertThat(Host.getInt(attr + IbvDeviceAttrEx.PHYS_PORT_CNT_EX))
        .isEqualTo(wanted.physPortCntEx());
    RssCaps rss = wanted.rssCaps();
    assertThat(Host.getInt(attr + IbvDeviceAttrEx.RSS_CAPS_SUPPORTED_QPTS))
        .isEqualTo(rss.supportedQpts());
    assertThat(Host.getInt(attr + IbvDeviceAttrEx.RSS_CAPS_MAX_RWQ_INDIRECTION_TABLES))
        .isEqualTo(rss.maxRwqIndirectionTables());
    assertThat(Host.getInt(attr + IbvDeviceAttrEx.RSS_CAPS_MAX_RWQ_INDIRECTION_TABLE_SIZE))
        .isEqualTo(rss.maxRwqIndirectionTableSize());
    assertThat(Host.getLong(attr + IbvDeviceAttrEx.RSS_CAPS_RX_HASH_FIELDS_MASK))
        .isEqualTo(rss.rxHashFieldsMask());
    assertThat(Host.getByte(attr + IbvDeviceAttrEx.RSS_CAPS_RX_HASH_FUNCTION))
        .isEqualTo(rss.rxHashFunction());
    assertThat(Host.getInt(attr + IbvDeviceAttrEx.MAX_WQ_TYPE_RQ)).isEqualTo(wanted.maxWqTypeRq());
    assertThat(Host.getShort(attr + IbvDeviceAttrEx.PCI_ATOMIC_CAPS_FETCH_ADD)).isEqualTo(2);
    assertThat(Host.getShort(attr + IbvDeviceAttrEx.PCI_ATOMIC_CAPS_SWAP)).isZero();
    assertThat(Host.getShort(attr + IbvDeviceAttrEx.PCI_ATOMIC_CAPS_COMPARE_SWAP)).isEqualTo(2);
    assertThat(Host.getInt(attr + IbvDeviceAttrEx.TM_CAPS_FLAGS)).isZero();
  }

  @Test
  void attributesOfShorterHeadersAreNotWrittenBeyond() {
    long size = IbvDeviceAttrEx.DEVICE_CAP_FLAGS_EX;
    long attr = untouched(IbvDeviceAttrEx.LAYOUT.size());
    assertThat(queryDeviceEx(attr, size)).isZero();
    assertThat(Host.getLong(attr + IbvDeviceAttrEx.HCA_CORE_CLOCK)).isNotZero();
    assertThat(Host.getByte(attr + size)).isEqualTo(UNTOUCHED);
  }

  @Test
  void extendedAttributesOfAnUnknownQuestionOrForLessThanTheUsualOnesAreEinval() {
    long size = IbvDeviceAttrEx.LAYOUT.size();
    long attr = untouched(size);
    assertThat(queryDeviceEx(attr, IbvDeviceAttr.LAYOUT.size() - 1)).isEqualTo(Errno.EINVAL);
    long input = program.memory(Integer.BYTES);
    Host.setInt(input, 1);
    long operation = VerbsContext.QUERY_DEVICE_EX;
    assertThat((int) Verbs.operation(context, operation, context, input, attr, size))
        .isEqualTo(Errno.EINVAL);
    assertThat(Host.getByte(attr)).isEqualTo(UNTOUCHED);
  }

  @Test
  void thePortSaysTheSameInEveryFieldAsInJava() {
    long attr = untouched(IbvPortAttr.LAYOUT.size());
    int result =
        (int)
            Verbs.operation(
                context, VerbsContext.QUERY_PORT, context, 1, attr, IbvPortAttr.LAYOUT.size());
    assertThat(result).isZero();
    StructAssert.assertSame(IbvPortAttr.LAYOUT, attr, java.queryPort(1));
  }

  @Test
  void thePortOfLaterHeadersHasNoSpeedThatIsTooLargeForTheOldField() {
    long size = IbvPortAttr.LAYOUT.size() + Integer.BYTES;
    long attr = untouched(size);
    int result = (int) Verbs.operation(context, VerbsContext.QUERY_PORT, context, 1, attr, size);
    assertThat(result).isZero();
    StructAssert.assertSame(IbvPortAttr.LAYOUT, attr, java.queryPort(1), "port_cap_flags2");
    assertThat(Host.getInt(attr + IbvPortAttr.LAYOUT.size())).isZero();
  }

  @Test
  void theSpeedOfAPortIsToldInUnitsOf100MbitPerSecond() {
    long speed = program.memory(Long.BYTES);
    assertThat(Verbs.callInt("ibv_query_port_speed", context, 1, speed)).isZero();
    assertThat(Host.getLong(speed)).isEqualTo(java.queryPortSpeed(1)).isPositive();

    Host.setLong(speed, UNTOUCHED);
    assertThat(Verbs.callInt("ibv_query_port_speed", context, 2, speed)).isEqualTo(Errno.EINVAL);
    assertThat(Host.getLong(speed)).isEqualTo(UNTOUCHED);
  }

  @Test
  void theExportedFunctionWritesThePortOfOlderHeaders() {
    long attr = untouched(IbvPortAttr.LAYOUT.size());
    assertThat(Verbs.callInt("ibv_query_port", context, 1, attr)).isZero();
    StructAssert.assertSame(IbvPortAttr.LAYOUT, attr, java.queryPort(1), "port_cap_flags2");
    assertThat(Host.getByte(attr + SHORT_PORT_ATTR)).isEqualTo(UNTOUCHED);
  }

  @Test
  void aPortThatIsNotThereIsEinvalReturnedAndInErrno() {
    assertThat(Verbs.callInt("ibv_query_port", context, 2, program.memory(64)))
        .isEqualTo(Errno.EINVAL);
    assertThat(Verbs.errno()).isEqualTo(Errno.EINVAL);
  }

  @Test
  void theGidTableIsThatOfJavaEntryByEntry() {
    long size = IbvGidEntry.LAYOUT.size();
    long entries = program.memory(4 * (size + 8));
    int count = Verbs.callInt("_ibv_query_gid_table", context, entries, 4, 0, size + 8);
    assertThat(count).isEqualTo(java.queryGidTable().size()).isPositive();
    for (int i = 0; i < count; i++) {
      assertEntry(entries + i * (size + 8), java.queryGidTable().get(i));
    }
    long one = program.struct(IbvGidEntry.LAYOUT);
    assertThat(Verbs.callInt("_ibv_query_gid_ex", context, 1, 0, one, 0, size)).isZero();
    assertEntry(one, java.queryGidEx(1, 0));
    assertThat(Verbs.callInt("ibv_query_gid", context, 1, 0, one)).isZero();
    assertThat(Structs.gid(one)).isEqualTo(java.queryGid(1, 0));
  }

  private static void assertEntry(long entry, GidEntry wanted) {
    assertThat(Structs.gid(entry + IbvGidEntry.GID)).isEqualTo(wanted.gid());
    StructAssert.assertSame(IbvGidEntry.LAYOUT, entry, wanted, "gid");
  }

  @Test
  void gidsThatAreNotThereAreRefusedAsEachFunctionDoes() {
    long out = program.struct(IbvGidEntry.LAYOUT);
    long size = IbvGidEntry.LAYOUT.size();
    assertThat(Verbs.callInt("ibv_query_gid", context, 1, 9999, out)).isEqualTo(-1);
    assertThat(Verbs.errno()).isEqualTo(Errno.EINVAL);
    assertThat(Verbs.callInt("_ibv_query_gid_ex", context, 1, -1, out, 0, size))
        .isEqualTo(Errno.EINVAL);
    assertThat(Verbs.callInt("_ibv_query_gid_ex", context, 1, 0, out, 1, size))
        .isEqualTo(Errno.EOPNOTSUPP);
    assertThat(Verbs.callInt("_ibv_query_gid_table", context, out, 1, 1, size))
        .isEqualTo(-Errno.EOPNOTSUPP);
    assertThat(Verbs.callInt("_ibv_query_gid_table", context, out, 1, 0, size - 1))
        .isEqualTo(-Errno.EINVAL);
    assertThat(Verbs.callInt("_ibv_query_gid_table", context, out, 0, 0, size))
        .isEqualTo(-Errno.EINVAL);
  }

  @Test
  void anEmptyGidHasATypeAndOneThatIsNotThereHasNone() {
    long type = program.memory(Integer.BYTES);
    assertThat(Verbs.callInt("ibv_query_gid_type", context, 1, 0, type)).isZero();
    assertThat(Host.getInt(type)).isEqualTo(1);
    assertThat(java.queryGid(1, 1)).isEqualTo(Gid.ZERO);
    assertThat(Verbs.callInt("ibv_query_gid_type", context, 1, 1, type)).isZero();
    assertThat(Host.getInt(type)).isZero();
    Host.setInt(type, UNTOUCHED);
    assertThat(Verbs.callInt("ibv_query_gid_type", context, 1, 9999, type)).isEqualTo(-1);
    assertThat(Host.getInt(type)).isEqualTo(UNTOUCHED);
  }

  @Test
  void anEntryOfShorterHeadersIsNotWrittenBeyond() {
    long entry = untouched(IbvGidEntry.LAYOUT.size());
    long size = IbvGidEntry.NDEV_IFINDEX;
    assertThat(Verbs.callInt("_ibv_query_gid_ex", context, 1, 0, entry, 0, size)).isZero();
    assertThat(Structs.gid(entry)).isNotEqualTo(Gid.ZERO);
    assertThat(Host.getByte(entry + size)).isEqualTo(UNTOUCHED);
  }

  @Test
  void partitionKeysAreFoundByIndexAndTheirIndexByKey() {
    long pkey = program.memory(2);
    assertThat(Verbs.callInt("ibv_query_pkey", context, 1, 0, pkey)).isZero();
    assertThat(Host.getNetworkShort(pkey)).isEqualTo(0xffff);
    assertThat(Verbs.callInt("ibv_get_pkey_index", context, 1, 0xffff)).isZero();
    assertThat(Verbs.callInt("ibv_query_pkey", context, 1, 9999, pkey)).isEqualTo(-1);
    assertThat(Verbs.errno()).isEqualTo(Errno.EINVAL);
    assertThat(Verbs.callInt("ibv_get_pkey_index", context, 1, 0x1234)).isEqualTo(-1);
    assertThat(Verbs.errno()).isNotZero();
  }

  @Test
  void theClockIsReadWhereItIsAskedFor() {
    long values = program.struct(IbvValuesEx.LAYOUT);
    Host.setInt(values + IbvValuesEx.COMP_MASK, ValuesMask.RAW_CLOCK);
    long before = java.queryRtValuesEx(ValuesMask.RAW_CLOCK).rawClock();
    assertThat((int) Verbs.operation(context, VerbsContext.QUERY_RT_VALUES, context, values))
        .isZero();
    assertThat(Host.getLong(values + IbvValuesEx.RAW_CLOCK_TV_NSEC))
        .isBetween(before, java.queryRtValuesEx(ValuesMask.RAW_CLOCK).rawClock());
    assertThat(Host.getInt(values + IbvValuesEx.COMP_MASK)).isEqualTo(ValuesMask.RAW_CLOCK);
  }

  @Test
  void theListNamesTheDeviceAndItsGuidIsThatOfTheOpenOne() {
    long count = program.memory(4);
    long list = Verbs.call("ibv_get_device_list", count);
    long device = Host.getLong(list);
    assertThat(Host.getInt(count)).isOne();
    assertThat(Host.getLong(list + Long.BYTES)).isZero();
    assertThat(Verbs.library().text("ibv_get_device_name", device)).isEqualTo("soft_10_66_0_1");
    assertThat(Long.reverseBytes(Verbs.call("ibv_get_device_guid", device)))
        .isEqualTo(java.queryDevice().nodeGuid());
    assertThat(Host.getLong(context + IbvContext.DEVICE)).isEqualTo(device);
    Verbs.call("ibv_free_device_list", list);
  }

  @Test
  void contextsOfTheSameDeviceAreIndependent() {
    try (Program other = new Program()) {
      assertThat(other.context()).isNotEqualTo(context);
    }
    assertThat(Verbs.callInt("ibv_query_port", context, 1, program.memory(64))).isZero();
  }

  @Test
  void deviceMemoryOfAnotherProcessIsUnsupported() {
    assertThat(Verbs.call("ibv_import_dm", context, 1)).isZero();
    assertThat(Verbs.errno()).isEqualTo(Errno.EOPNOTSUPP);
  }

  private int queryDeviceEx(long attr, long size) {
    return (int) Verbs.operation(context, VerbsContext.QUERY_DEVICE_EX, context, 0, attr, size);
  }

  private long untouched(long bytes) {
    long memory = program.memory(bytes);
    for (long i = 0; i < bytes; i++) {
      Host.setByte(memory + i, UNTOUCHED);
    }
    return memory;
  }
}
