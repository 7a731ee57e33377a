package dev.verbena.tck.devices;

import dev.verbena.tck.kit.Addresses;
import dev.verbena.tck.kit.Refused;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.DeviceSpec;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.LinkKind;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.List;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Addresses on which no device can be opened. */
final class WrongAddressTest {
  private static final int ROCE_PORT = 4791;

  /** Linux tells who it is. */
  private static final String HOLDER =
      OS.LINUX.isCurrentOs() ? "taken by process " + ProcessHandle.current().pid() : "taken by";

  @ParameterizedTest
  @EnumSource(names = {"AUTO", "UDP"})
  void aPortInUseIsToldWithItsAddressAndItsHolder(LinkKind link)
      throws SocketException, UnknownHostException {
    String address = Addresses.next();
    DeviceSpec spec = DeviceSpec.soft(address).link(link);
    try (DatagramSocket _ =
        new DatagramSocket(new InetSocketAddress(InetAddress.getByName(address), ROCE_PORT))) {
      Refused.of(() -> Devices.open(spec), Errno.EADDRINUSE)
          .naming(address, Integer.toString(ROCE_PORT), HOLDER, "soft:new");
    }
    try (Context context = Devices.open(spec)) {
      context.allocPd().dealloc();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"192.0.2.1", "2001:db8::1"})
  void anAddressOfAnotherMachineIsTold(String address) {
    for (LinkKind link : List.of(LinkKind.AUTO, LinkKind.UDP)) {
      Refused.of(() -> Devices.open(DeviceSpec.soft(address).link(link)), Errno.EADDRNOTAVAIL)
          .naming(address);
    }
  }
}
