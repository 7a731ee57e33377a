package dev.verbena.tck.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.ChildProcess;
import dev.verbena.tck.kit.Namespace;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Events of the port and of the device go to every context: S10.3, S10.4, S10.5. */
final class PortEventTest {

  @ParameterizedTest
  @CsvSource({"10.99.0.1, true", "fd99::1, true", "10.99.0.1, false", "fd99::1, false"})
  @Proves({"S10.3", "S10.4", "S10.5"})
  void everyContextIsToldWhatBecomesOfTheAddressAndItsInterface(
      String address, boolean nativeAccess) throws IOException, InterruptedException {
    Namespace.require();
    List<String> command =
        new ArrayList<>(ChildProcess.javaMain(PortWatcher.class, address, "" + nativeAccess));
    if (!nativeAccess) {
      command.replaceAll(
          argument ->
              argument.startsWith("--enable-native-access")
                  ? "--illegal-native-access=deny"
                  : argument);
    }
    try (ChildProcess child = ChildProcess.run(Namespace.within(command))) {
      int exitCode = child.exitCode();
      assertThat(exitCode).as(child.output()).isZero();
      assertThat(child.output()).contains("both contexts were told");
      assertThat(child.output().contains("UDP goes through DatagramChannel"))
          .as(child.output())
          .isEqualTo(!nativeAccess);
    }
  }
}
