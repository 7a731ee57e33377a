package dev.verbena.soft.device.qp;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A domain that has not the shared receive queue that a peer names. */
class XrcShareTest {
  private final List<String> told = new ArrayList<>();

  @Test
  void aQueueThatADomainWithAFileLacksIsToldOnce() {
    XrcShare share = share(Path.of("/tmp/xrc_domain"));
    assertThat(share.receives().select(0x1234)).isFalse();
    assertThat(share.receives().select(0x1235)).isFalse();
    assertThat(told).hasSize(1);
    assertThat(told.getFirst())
        .startsWith("soft_127_0_0_1: ")
        .contains("0x1234", "/tmp/xrc_domain", "If it is another process's: ", "not between");
  }

  @Test
  void aPrivateDomainIsNobodyElsesAndNothingIsTold() {
    assertThat(share(null).receives().select(0x1234)).isFalse();
    assertThat(told).isEmpty();
  }

  private XrcShare share(@Nullable Path file) {
    return new XrcShare(number -> null, "soft_127_0_0_1", file, told::add);
  }
}
