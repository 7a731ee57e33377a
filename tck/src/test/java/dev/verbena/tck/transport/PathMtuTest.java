package dev.verbena.tck.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.tck.kit.ChildProcess;
import dev.verbena.tck.kit.Namespace;
import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Messages of the network about the MTU of a path. */
final class PathMtuTest {

  @ParameterizedTest
  @CsvSource({"127.9.0.1, 127.9.0.2", "fd98::1, fd98::2"})
  void aForgedIcmpMessageDoesNotNarrowAPath(String here, String there)
      throws IOException, InterruptedException {
    Namespace.require();
    try (ChildProcess child =
        ChildProcess.run(Namespace.within(ChildProcess.javaMain(ForgedIcmp.class, here, there)))) {
      assertThat(child.exitCode()).as(child.output()).isZero();
      assertThat(child.output()).contains("the way is as wide as before");
    }
  }
}
