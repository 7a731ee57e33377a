package dev.verbena.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.proofs.Proves;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The numbers that libibverbs gives its enum constants. */
class EnumNumbersTest {
  @Test
  @Proves("S0.1")
  void queuePairTypesAndStatesHaveTheirNumbers() {
    assertThat(numbers(QpType.values()))
        .containsExactly(
            "RC=2", "UC=3", "UD=4", "RAW_PACKET=8", "XRC_SEND=9", "XRC_RECV=10", "DRIVER=255");
    assertThat(numbers(QpState.values()))
        .containsExactly(
            "RESET=0", "INIT=1", "RTR=2", "RTS=3", "SQD=4", "SQE=5", "ERR=6", "UNKNOWN=7");
  }

  @Test
  void whatAForkDoesHasItsNumbersFromTheWorstOn() {
    assertThat(numbers(ForkStatus.values()))
        .containsExactly("DISABLED=0", "ENABLED=1", "UNNEEDED=2");
  }

  @Test
  void adviceAboutMemoryHasItsNumbers() {
    assertThat(numbers(AdviseMrAdvice.values()))
        .containsExactly("PREFETCH=0", "PREFETCH_WRITE=1", "PREFETCH_NO_FAULT=2");
  }

  @Test
  @Proves("S0.2")
  void workRequestOpcodesHaveTheirNumbersAnd12And13AreRejected() {
    assertThat(numbers(WrOpcode.values()))
        .containsExactly(
            "RDMA_WRITE=0",
            "RDMA_WRITE_WITH_IMM=1",
            "SEND=2",
            "SEND_WITH_IMM=3",
            "RDMA_READ=4",
            "ATOMIC_CMP_AND_SWP=5",
            "ATOMIC_FETCH_AND_ADD=6",
            "LOCAL_INV=7",
            "BIND_MW=8",
            "SEND_WITH_INV=9",
            "TSO=10",
            "DRIVER1=11",
            "FLUSH=14",
            "ATOMIC_WRITE=15");
    for (int unused : new int[] {12, 13}) {
      assertThatThrownBy(() -> WrOpcode.of(unused))
          .isInstanceOf(VerbsException.class)
          .hasMessage(
              "WrOpcode: no WrOpcode has the number " + unused + " (EINVAL: Invalid argument)");
    }
  }

  @Test
  @Proves("S0.3")
  void completionOpcodesHaveTheirNumbersAndBit7MarksReceives() {
    assertThat(numbers(WcOpcode.values()))
        .containsExactly(
            "SEND=0",
            "RDMA_WRITE=1",
            "RDMA_READ=2",
            "COMP_SWAP=3",
            "FETCH_ADD=4",
            "BIND_MW=5",
            "LOCAL_INV=6",
            "TSO=7",
            "FLUSH=8",
            "ATOMIC_WRITE=9",
            "RECV=128",
            "RECV_RDMA_WITH_IMM=129");
    assertThat(Stream.of(WcOpcode.values()).filter(WcOpcode::isReceive))
        .containsExactly(WcOpcode.RECV, WcOpcode.RECV_RDMA_WITH_IMM);
  }

  @Test
  @Proves("S0.4")
  void completionStatusesAreNumberedFrom0To23() {
    assertThat(numbers(WcStatus.values()))
        .containsExactly(
            "SUCCESS=0",
            "LOC_LEN_ERR=1",
            "LOC_QP_OP_ERR=2",
            "LOC_EEC_OP_ERR=3",
            "LOC_PROT_ERR=4",
            "WR_FLUSH_ERR=5",
            "MW_BIND_ERR=6",
            "BAD_RESP_ERR=7",
            "LOC_ACCESS_ERR=8",
            "REM_INV_REQ_ERR=9",
            "REM_ACCESS_ERR=10",
            "REM_OP_ERR=11",
            "RETRY_EXC_ERR=12",
            "RNR_RETRY_EXC_ERR=13",
            "LOC_RDD_VIOL_ERR=14",
            "REM_INV_RD_REQ_ERR=15",
            "REM_ABORT_ERR=16",
            "INV_EECN_ERR=17",
            "INV_EEC_STATE_ERR=18",
            "FATAL_ERR=19",
            "RESP_TIMEOUT_ERR=20",
            "GENERAL_ERR=21",
            "TM_ERR=22",
            "TM_RNDV_INCOMPLETE=23");
  }

  @Test
  @Proves("S0.8")
  void mtusWindowsSharedQueuesGidsAndLinkLayersHaveTheirNumbers() {
    assertThat(numbers(Mtu.values()))
        .containsExactly("MTU_256=1", "MTU_512=2", "MTU_1024=3", "MTU_2048=4", "MTU_4096=5");
    assertThat(Stream.of(Mtu.values()).map(Mtu::bytes)).containsExactly(256, 512, 1024, 2048, 4096);
    assertThat(numbers(MwType.values())).containsExactly("TYPE_1=1", "TYPE_2=2");
    assertThat(numbers(SrqType.values())).containsExactly("BASIC=0", "XRC=1", "TM=2");
    assertThat(numbers(GidType.values())).containsExactly("IB=0", "ROCE_V1=1", "ROCE_V2=2");
    assertThat(numbers(LinkLayer.values()))
        .containsExactly("UNSPECIFIED=0", "INFINIBAND=1", "ETHERNET=2");
  }

  @Test
  void mtuIsFoundByItsBytes() {
    for (Mtu mtu : Mtu.values()) {
      assertThat(Mtu.ofBytes(mtu.bytes())).isEqualTo(mtu);
    }
    assertThatThrownBy(() -> Mtu.ofBytes(1500))
        .hasMessage(
            "mtu: path MTU 1500 is not one of 256, 512, 1024, 2048, 4096 (EINVAL: Invalid"
                + " argument)");
  }

  @Test
  @Proves("S0.11")
  void asynchronousEventsAreNumberedFrom0To20() {
    assertThat(numbers(EventType.values()))
        .containsExactly(
            "CQ_ERR=0",
            "QP_FATAL=1",
            "QP_REQ_ERR=2",
            "QP_ACCESS_ERR=3",
            "COMM_EST=4",
            "SQ_DRAINED=5",
            "PATH_MIG=6",
            "PATH_MIG_ERR=7",
            "DEVICE_FATAL=8",
            "PORT_ACTIVE=9",
            "PORT_ERR=10",
            "LID_CHANGE=11",
            "PKEY_CHANGE=12",
            "SM_CHANGE=13",
            "SRQ_ERR=14",
            "SRQ_LIMIT_REACHED=15",
            "QP_LAST_WQE_REACHED=16",
            "CLIENT_REREGISTER=17",
            "GID_CHANGE=18",
            "WQ_FATAL=19",
            "DEVICE_SPEED_CHANGE=20");
  }

  @Test
  void nodesTransportsPortsAtomicsAndMigrationHaveTheirNumbers() {
    assertThat(numbers(NodeType.values()))
        .containsExactly(
            "UNKNOWN=-1",
            "CA=1",
            "SWITCH=2",
            "ROUTER=3",
            "RNIC=4",
            "USNIC=5",
            "USNIC_UDP=6",
            "UNSPECIFIED=7");
    assertThat(numbers(TransportType.values()))
        .containsExactly(
            "UNKNOWN=-1", "IB=0", "IWARP=1", "USNIC=2", "USNIC_UDP=3", "UNSPECIFIED=4");
    assertThat(numbers(PortState.values()))
        .containsExactly("NOP=0", "DOWN=1", "INIT=2", "ARMED=3", "ACTIVE=4", "ACTIVE_DEFER=5");
    assertThat(numbers(AtomicCap.values())).containsExactly("NONE=0", "HCA=1", "GLOB=2");
    assertThat(numbers(PathMigState.values())).containsExactly("MIGRATED=0", "REARM=1", "ARMED=2");
  }

  static Stream<Arguments> enums() {
    return Stream.of(
        lookup(AdviseMrAdvice.values(), AdviseMrAdvice::of),
        lookup(AtomicCap.values(), AtomicCap::of),
        lookup(EventType.values(), EventType::of),
        lookup(ForkStatus.values(), ForkStatus::of),
        lookup(GidType.values(), GidType::of),
        lookup(LinkLayer.values(), LinkLayer::of),
        lookup(Mtu.values(), Mtu::of),
        lookup(MwType.values(), MwType::of),
        lookup(NodeType.values(), NodeType::of),
        lookup(PathMigState.values(), PathMigState::of),
        lookup(PortState.values(), PortState::of),
        lookup(QpState.values(), QpState::of),
        lookup(QpType.values(), QpType::of),
        lookup(Rate.values(), Rate::of),
        lookup(SrqType.values(), SrqType::of),
        lookup(TransportType.values(), TransportType::of),
        lookup(WcOpcode.values(), WcOpcode::of),
        lookup(WcStatus.values(), WcStatus::of),
        lookup(WrOpcode.values(), WrOpcode::of));
  }

  @ParameterizedTest
  @MethodSource("enums")
  void everyNumberFindsItsConstantAndEveryOtherNumberIsEinval(
      Numbered[] constants, IntFunction<Numbered> of) {
    List<Integer> known = new ArrayList<>();
    for (Numbered constant : constants) {
      known.add(constant.number());
      assertThat(of.apply(constant.number())).isSameAs(constant);
    }
    assertThat(known).doesNotHaveDuplicates();
    for (int number = -300; number <= 300; number++) {
      if (!known.contains(number)) {
        int unknown = number;
        assertThatThrownBy(() -> of.apply(unknown))
            .isInstanceOfSatisfying(
                VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL))
            .hasMessageContaining("has the number " + unknown);
      }
    }
  }

  private static Arguments lookup(Numbered[] constants, IntFunction<Numbered> of) {
    return Arguments.of(constants, of);
  }

  private static <E extends Enum<E> & Numbered> List<String> numbers(E[] constants) {
    return Stream.of(constants).map(c -> c.name() + "=" + c.number()).toList();
  }
}
