package dev.verbena.soft.link.socket;

import dev.verbena.verbs.Gid;
import dev.verbena.wire.RocePorts;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Who has the port of RoCE, as Linux tells it: {@code /proc/net/udp} has the sockets of this
 * network namespace, and {@code /proc/PID/fd} those of a process that we may look into.
 */
public final class PortHolders {
  private static final int LOCAL_ADDRESS = 1;
  private static final int INODE = 9;
  private static final int FIELDS = INODE + 1;
  private static final int IPV6_BYTES = 16;
  private static final Gid ALL_IPV4 = Gid.parse("0.0.0.0");

  private final Path proc;

  /**
   * @param proc the folder {@code /proc}
   */
  PortHolders(Path proc) {
    this.proc = proc;
  }

  /** Those of this computer. */
  public static PortHolders ofThisComputer() {
    return new PortHolders(Path.of("/proc"));
  }

  /** A socket that is bound to the port, to an address or to all. */
  private record Holder(Gid address, String inode) {
    boolean excludes(Gid wanted) {
      return isOnAll() || (isOnAllIpv4() && wanted.isIpv4Mapped()) || address.equals(wanted);
    }

    /**
     * The wildcard of IPv6 takes IPv4 as well, unless the socket is IPV6_V6ONLY, which Linux does
     * not tell here. Who asks for that usually binds the wildcard of IPv4, too, as rdma_rxe does.
     */
    private boolean isOnAll() {
      return address.isZero();
    }

    private boolean isOnAllIpv4() {
      return address.equals(ALL_IPV4);
    }

    Extent extent() {
      if (isOnAll()) {
        return Extent.ALL;
      }
      return isOnAllIpv4() ? Extent.ALL_IPV4 : Extent.ONE;
    }
  }

  /** On which addresses a socket has the port. */
  enum Extent {
    ONE(""),
    ALL_IPV4(", on all IPv4 addresses"),
    ALL(", on all addresses");

    private final String text;

    Extent(String text) {
      this.text = text;
    }
  }

  /**
   * Who has the port at an address.
   *
   * @param owner as the end of a sentence
   */
  record Held(String owner, Extent extent) {
    @Override
    public String toString() {
      return owner + extent.text;
    }
  }

  /**
   * Whether a socket is bound to the port at this address; false if that cannot be known. One on
   * all IPv6 addresses counts as on all IPv4 addresses, too, though it may be IPV6_V6ONLY.
   */
  public boolean isHeld(Gid address) {
    return holder(address).isPresent();
  }

  /** Who has the port at this address; null if that is not known. */
  @Nullable Held find(Gid address) {
    return holder(address).map(holder -> new Held(owner(holder), holder.extent())).orElse(null);
  }

  private Optional<Holder> holder(Gid address) {
    return holders().stream().filter(holder -> holder.excludes(address)).findFirst();
  }

  private List<Holder> holders() {
    return Stream.of("net/udp", "net/udp6")
        .flatMap(file -> lines(file).stream())
        .flatMap(line -> parse(line).stream())
        .toList();
  }

  private List<String> lines(String file) {
    try {
      return Files.readAllLines(proc.resolve(file));
    } catch (IOException e) {
      // Not Linux, or no such protocol: nothing is known.
      return List.of();
    }
  }

  private static Optional<Holder> parse(String line) {
    String[] fields = line.strip().split("\\s+");
    if (fields.length < FIELDS) {
      return Optional.empty();
    }
    String[] local = fields[LOCAL_ADDRESS].split(":", -1);
    return local.length == 2 && local[1].equals("%04X".formatted(RocePorts.UDP_PORT))
        ? Optional.of(new Holder(address(local[0]), fields[INODE]))
        : Optional.empty();
  }

  /**
   * An address as words of 32 bits, which are in the order of this computer: the low byte first.
   */
  private static Gid address(String hex) {
    byte[] bytes = new byte[hex.length() / 2];
    for (int i = 0; i < bytes.length; i++) {
      int from = 2 * (i ^ 3);
      bytes[i] = (byte) HexFormat.fromHexDigits(hex, from, from + 2);
    }
    if (bytes.length == IPV6_BYTES) {
      return Gid.ofBytes(bytes);
    }
    byte[] mapped = new byte[IPV6_BYTES];
    mapped[10] = (byte) 0xff;
    mapped[11] = (byte) 0xff;
    System.arraycopy(bytes, 0, mapped, IPV6_BYTES - bytes.length, bytes.length);
    return Gid.ofBytes(mapped);
  }

  /** The kernel's own sockets have an inode, too, so what no process has may be the kernel's. */
  private String owner(Holder holder) {
    String process = process("socket:[" + holder.inode() + "]");
    if (process != null) {
      return process;
    }
    return isRxeLoaded()
        ? "the kernel's module rdma_rxe, which is loaded, or a process that this one cannot see"
        : "a process that this one cannot see";
  }

  private boolean isRxeLoaded() {
    return Files.isDirectory(proc.resolveSibling("sys").resolve("module/rdma_rxe"));
  }

  /** The process that has this file open: its number and its name; null if that is not known. */
  private @Nullable String process(String file) {
    try (DirectoryStream<Path> processes = Files.newDirectoryStream(proc, "[0-9]*")) {
      for (Path process : processes) {
        if (hasOpen(process, file)) {
          return "process " + process.getFileName() + name(process);
        }
      }
    } catch (IOException | DirectoryIteratorException e) {
      // Then it is not known.
      return null;
    }
    return null;
  }

  private static boolean hasOpen(Path process, String file) {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(process.resolve("fd"))) {
      for (Path open : files) {
        if (Files.readSymbolicLink(open).toString().equals(file)) {
          return true;
        }
      }
    } catch (IOException | DirectoryIteratorException e) {
      // It has ended, or belongs to someone else.
      return false;
    }
    return false;
  }

  private static String name(Path process) {
    try {
      return " (" + Files.readString(process.resolve("comm")).strip() + ")";
    } catch (IOException e) {
      return "";
    }
  }
}
