package dev.verbena.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Field;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The texts that libibverbs prints. */
class StringsTest {
  @Test
  @Proves({"S0.5", "PY-167"})
  void completionStatusesHaveTheTextsOfLibibverbs() {
    String[] texts = {
      "success",
      "local length error",
      "local QP operation error",
      "local EE context operation error",
      "local protection error",
      "Work Request Flushed Error",
      "memory management operation error",
      "bad response error",
      "local access error",
      "remote invalid request error",
      "remote access error",
      "remote operation error",
      "transport retry counter exceeded",
      "RNR retry counter exceeded",
      "local RDD violation error",
      "remote invalid RD request",
      "aborted error",
      "invalid EE context number",
      "invalid EE context state",
      "fatal error",
      "response timeout error",
      "general error",
      "TM error",
      "TM software rendezvous"
    };
    for (int number = 0; number < texts.length; number++) {
      assertThat(WcStatus.str(number)).isEqualTo(texts[number]);
      assertThat(WcStatus.of(number).str()).isEqualTo(texts[number]);
    }
    for (int unknown : new int[] {-1, texts.length, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
      assertThat(WcStatus.str(unknown)).isEqualTo("unknown");
    }
  }

  @Test
  void aRegionToBeMadePrintsItsMemoryAndRights() {
    MrInitAttr mr = new MrInitAttr().access(Access.LOCAL_WRITE);
    assertThat(mr).hasToString("mr_init_attr[no memory, access=0x1]");
    assertThat(mr.fd(7, 4096, 100))
        .hasToString("mr_init_attr[fd=7, fd_offset=4096, fd_length=100, access=0x1]");
    MemorySegment memory = MemorySegment.ofAddress(0x1000);
    assertThat(new MrInitAttr().memory(memory).iova(16))
        .hasToString("mr_init_attr[addr=0x1000, length=0, iova=0x10, access=0x0]");
  }

  @Test
  @Proves("S0.14")
  void nodesPortsOpcodesAndEventsHaveTheTextsOfLibibverbs() {
    assertThat(Stream.of(NodeType.values()).map(NodeType::str))
        .containsExactly(
            "unknown",
            "InfiniBand channel adapter",
            "InfiniBand switch",
            "InfiniBand router",
            "iWARP NIC",
            "usNIC",
            "usNIC UDP",
            "unspecified");
    assertThat(Stream.of(PortState.values()).map(PortState::str))
        .containsExactly(
            "no state change (NOP)", "down", "init", "armed", "active", "active defer");
    assertThat(Stream.of(WrOpcode.values()).map(WrOpcode::str))
        .containsExactly(
            "rdma-write",
            "rdma-write-with-imm",
            "send",
            "send-with-imm",
            "rdma-read",
            "atomic-cmp-and-swp",
            "atomic-fetch-and-add",
            "local-inv",
            "bind-mw",
            "send-with-inv",
            "tso",
            "driver1",
            "flush",
            "atomic-write");
    assertThat(Stream.of(EventType.values()).map(EventType::str))
        .containsExactly(
            "CQ error",
            "local work queue catastrophic error",
            "invalid request local work queue error",
            "local access violation work queue error",
            "communication established",
            "send queue drained",
            "path migrated",
            "path migration request error",
            "local catastrophic error",
            "port active",
            "port error",
            "LID change",
            "P_Key change",
            "SM change",
            "SRQ catastrophic error",
            "SRQ limit reached",
            "last WQE reached",
            "client reregistration",
            "GID table change",
            "WQ fatal",
            "Device link speed change");
  }

  @Test
  void errorNumbersHaveTheirNamesAndTexts() {
    assertThat(Errno.name(Errno.EOPNOTSUPP)).isEqualTo("EOPNOTSUPP");
    assertThat(Errno.strerror(Errno.ENOMEM)).isEqualTo("Cannot allocate memory");
    assertThat(Errno.name(4711)).isEqualTo("errno 4711");
    assertThat(Errno.strerror(4711)).isEqualTo("Unknown error 4711");
  }

  @Test
  void everyErrorNumberOfLinuxHasANameAndATextOfItsOwn() {
    Set<String> names = new HashSet<>();
    Set<String> texts = new HashSet<>();
    for (int errno = 1; errno <= 133; errno++) {
      if (errno == 41 || errno == 58) {
        // EWOULDBLOCK and EDEADLOCK: only other names of EAGAIN and EDEADLK.
        assertThat(Errno.strerror(errno)).isEqualTo("Unknown error " + errno);
        continue;
      }
      assertThat(Errno.name(errno)).as("errno %d", errno).matches("E[A-Z0-9]+");
      names.add(Errno.name(errno));
      texts.add(Errno.strerror(errno));
    }
    assertThat(names).hasSize(131);
    // EINTR and ERESTART differ, as do all others.
    assertThat(texts).hasSize(131).noneMatch(text -> text.startsWith("Unknown"));
    assertThat(Errno.strerror(24)).isEqualTo("Too many open files");
    assertThat(Errno.strerror(133)).isEqualTo("Memory page has hardware error");
  }

  @Test
  void theConstantsAreNamedAsTheirNumbersAre() throws IllegalAccessException {
    for (Field constant : Errno.class.getFields()) {
      assertThat(Errno.name(constant.getInt(null))).isEqualTo(constant.getName());
    }
  }
}
