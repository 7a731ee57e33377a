package dev.verbena.soft.link.socket;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.Gid;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What Linux says about sockets, in made-up folders. */
class PortHoldersTest {
  private static final Gid LOOPBACK = Gid.parse("127.0.0.1");
  private static final Gid LOOPBACK6 = Gid.parse("::1");
  private static final String REST =
      " 07 00000000:00000000 00:00000000 00000000     0        0 %s 2 0000000044a03de7 0\n";

  @TempDir private Path root;
  private Path proc;
  private PortHolders holders;

  @BeforeEach
  void makeFolders() throws IOException {
    proc = Files.createDirectories(root.resolve("proc"));
    Files.createDirectories(proc.resolve("net"));
    holders = new PortHolders(proc);
  }

  private void ipv4(String local, String inode) throws IOException {
    Files.writeString(
        proc.resolve("net/udp"),
        "  sl  local_address rem_address   st\n  1: "
            + local
            + " 00000000:0000"
            + REST.formatted(inode));
  }

  private void ipv6(String local, String inode) throws IOException {
    Files.writeString(
        proc.resolve("net/udp6"),
        "  sl  local_address\n  1: "
            + local
            + " 00000000000000000000000000000000:0000"
            + REST.formatted(inode));
  }

  private void process(String number, String name, String socket) throws IOException {
    Path files = Files.createDirectories(proc.resolve(number).resolve("fd"));
    Files.createSymbolicLink(files.resolve("0"), Path.of("/dev/null"));
    Files.createSymbolicLink(files.resolve("7"), Path.of("socket:[" + socket + "]"));
    Files.writeString(proc.resolve(number).resolve("comm"), name + "\n");
  }

  @Test
  void aProcessIsNamed() throws IOException {
    ipv4("0100007F:12B7", "9516346");
    process("812", "other", "9");
    process("4711", "ib_send_lat", "9516346");
    assertThat(holders.find(LOOPBACK)).hasToString("process 4711 (ib_send_lat)");
    assertThat(holders.isHeld(LOOPBACK)).isTrue();
    assertThat(holders.isHeld(Gid.parse("127.0.0.2"))).isFalse();
    assertThat(holders.find(LOOPBACK6)).isNull();
  }

  @Test
  void aProcessOfSomeoneElseIsNot() throws IOException {
    ipv4("0100007F:12B7", "9516346");
    process("812", "other", "9");
    assertThat(holders.find(LOOPBACK)).hasToString("a process that this one cannot see");
  }

  @Test
  void anAddressOfVersion6HasFourWords() throws IOException {
    ipv6("B80D0120000000000000000001000000:12B7", "5");
    process("1", "init", "5");
    assertThat(holders.find(Gid.parse("2001:db8::1"))).hasToString("process 1 (init)");
    assertThat(holders.isHeld(LOOPBACK)).isFalse();
  }

  @Test
  void thatOfAllIpv4AddressesLeavesVersion6Free() throws IOException {
    ipv4("00000000:12B7", "5");
    process("4711", "nc", "5");
    assertThat(holders.find(LOOPBACK)).hasToString("process 4711 (nc), on all IPv4 addresses");
    assertThat(holders.isHeld(Gid.parse("127.0.0.31"))).isTrue();
    assertThat(holders.isHeld(LOOPBACK6)).isFalse();
    assertThat(holders.find(LOOPBACK6)).isNull();
  }

  @Test
  void theWayOutIsAnotherAddressIfOneMayBeFree() throws IOException {
    ipv4("0100007F:12B7", "5");
    assertThat(wayOut(LOOPBACK)).startsWith("choose another address with soft:ADDRESS, or, if");
    ipv4("00000000:12B7", "5");
    assertThat(wayOut(LOOPBACK)).startsWith("choose an IPv6 address with soft:ADDRESS, or, if");
    ipv6("00000000000000000000000000000000:12B7", "5");
    assertThat(wayOut(LOOPBACK6)).startsWith("end it, or use, if").endsWith("needs no port");
  }

  private String wayOut(Gid address) {
    return BindFailure.wayOut(Objects.requireNonNull(holders.find(address)).extent());
  }

  /** Unless it is IPV6_V6ONLY, which cannot be seen. */
  @Test
  void thatOfAllIpv6AddressesHasThoseOfVersion4Too() throws IOException {
    ipv6("00000000000000000000000000000000:12B7", "5");
    process("4711", "nc", "5");
    assertThat(holders.find(LOOPBACK6)).hasToString("process 4711 (nc), on all addresses");
    assertThat(holders.isHeld(LOOPBACK)).isTrue();
  }

  /** A socket of version 6 may be bound to addresses of version 4, one or all. */
  @Test
  void mappedAddressesAreOfVersion4() throws IOException {
    ipv6("0000000000000000FFFF00000100007F:12B7", "5");
    assertThat(holders.isHeld(LOOPBACK)).isTrue();
    assertThat(holders.isHeld(Gid.parse("127.0.0.2"))).isFalse();
    ipv6("0000000000000000FFFF000000000000:12B7", "5");
    assertThat(holders.isHeld(Gid.parse("127.0.0.2"))).isTrue();
    assertThat(holders.isHeld(LOOPBACK6)).isFalse();
  }

  @Test
  void theModuleIsNamedOnlyIfItIsLoaded() throws IOException {
    ipv4("00000000:12B7", "9516346");
    assertThat(holders.find(LOOPBACK))
        .hasToString("a process that this one cannot see, on all IPv4 addresses");
    Files.createDirectories(root.resolve("sys/module/rdma_rxe"));
    assertThat(holders.find(LOOPBACK))
        .hasToString(
            "the kernel's module rdma_rxe, which is loaded, or a process that this one cannot see,"
                + " on all IPv4 addresses");
  }

  @Test
  void otherPortsAndBrokenLinesDoNotCount() throws IOException {
    ipv4("0100007F:12B8", "5");
    assertThat(holders.isHeld(LOOPBACK)).isFalse();
    Files.writeString(proc.resolve("net/udp"), "  1: 0100007F:12B7\nnonsense\n\n");
    assertThat(holders.isHeld(LOOPBACK)).isFalse();
    Files.delete(proc.resolve("net/udp"));
    assertThat(holders.find(LOOPBACK)).isNull();
  }
}
