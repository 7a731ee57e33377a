package dev.verbena.rdmacore.device;

import dev.verbena.verbs.Counter;
import dev.verbena.verbs.Counters;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the kernel's driver of a device counts, at all ports: the files in {@code hw_counters},
 * which each driver names as it likes, and in {@code counters}, which InfiniBand defines for a
 * port.
 *
 * @param device its name
 * @param folder its folder in /sys/class/infiniband
 */
record DriverCounters(String device, Path folder) implements Counters {
  private static final String OF_DRIVER = "hw_counters";
  private static final String OF_PORT = "counters";

  /** What the ports' counters of data count, in bytes. */
  private static final int WORD = 4;

  /** A file in hw_counters that is no count: for how long the kernel keeps values, in ms. */
  private static final String LIFESPAN = "lifespan";

  /**
   * The files that make a value, as rxe and mlx5 call them; a device has some of them. Of several
   * sources the first counts that a device has at all.
   */
  private static final Map<Counter, List<Source>> SOURCES =
      Map.ofEntries(
          Map.entry(
              Counter.PACKETS_SENT,
              List.of(driver("sent_pkts"), new Source(OF_PORT, 1, List.of("port_xmit_packets")))),
          Map.entry(
              Counter.PACKETS_RECEIVED,
              List.of(driver("rcvd_pkts"), new Source(OF_PORT, 1, List.of("port_rcv_packets")))),
          Map.entry(
              Counter.BYTES_SENT, List.of(new Source(OF_PORT, WORD, List.of("port_xmit_data")))),
          Map.entry(
              Counter.BYTES_RECEIVED, List.of(new Source(OF_PORT, WORD, List.of("port_rcv_data")))),
          Map.entry(Counter.TIMEOUTS, List.of(driver("local_ack_timeout_err"))),
          Map.entry(Counter.RNR_NAKS_SENT, List.of(driver("send_rnr_err"))),
          Map.entry(
              Counter.RNR_NAKS_RECEIVED, List.of(driver("rcvd_rnr_err", "rnr_nak_retry_err"))),
          Map.entry(Counter.SEQUENCE_NAKS_SENT, List.of(driver("out_of_seq_request"))),
          Map.entry(
              Counter.SEQUENCE_NAKS_RECEIVED, List.of(driver("rcvd_seq_err", "packet_seq_err"))),
          Map.entry(Counter.CONGESTION_NOTIFICATIONS_SENT, List.of(driver("np_cnp_sent"))),
          Map.entry(
              Counter.CONGESTION_NOTIFICATIONS_RECEIVED,
              List.of(driver("rp_cnp_handled", "rp_cnp_ignored"))),
          Map.entry(Counter.DUPLICATE_REQUESTS, List.of(driver("duplicate_request"))),
          Map.entry(Counter.DROPPED_ICRC, List.of(driver("rx_icrc_encapsulated"))));

  /**
   * Files whose sum is a value.
   *
   * @param folder of each port
   * @param unit what one means
   * @param names of the files
   */
  private record Source(String folder, int unit, List<String> names) {
    /** Those that ports of these folders have. */
    List<Path> files(List<Path> ports) {
      return ports.stream()
          .flatMap(port -> names.stream().map(port.resolve(folder)::resolve))
          .filter(Files::exists)
          .toList();
    }

    @Override
    public String toString() {
      return names.stream().map(name -> folder + "/" + name).collect(Collectors.joining(" or "));
    }
  }

  private static Source driver(String... names) {
    return new Source(OF_DRIVER, 1, List.of(names));
  }

  @Override
  public boolean has(Counter counter) {
    List<Path> ports = ports();
    return sources(counter).stream().anyMatch(source -> !source.files(ports).isEmpty());
  }

  @Override
  public long get(Counter counter) {
    List<Path> ports = ports();
    for (Source source : sources(counter)) {
      List<Path> files = source.files(ports);
      if (!files.isEmpty()) {
        return files.stream().mapToLong(this::value).sum() * source.unit();
      }
    }
    String missing =
        sources(counter).stream().map(Source::toString).collect(Collectors.joining(" or "));
    throw new VerbsException(
        "counters",
        Errno.EOPNOTSUPP,
        "the driver of "
            + device
            + " does not count "
            + counter.key()
            + (missing.isEmpty() ? "" : ": no port has " + missing));
  }

  private static List<Source> sources(Counter counter) {
    return SOURCES.getOrDefault(counter, List.of());
  }

  private long value(Path file) {
    String text = "";
    try {
      text = Files.readString(file).strip();
      return Long.parseUnsignedLong(text);
    } catch (IOException e) {
      throw new VerbsException(
          "counters", Errno.EIO, file + " of " + device + " cannot be read", e);
    } catch (NumberFormatException e) {
      throw new VerbsException(
          "counters", Errno.EPROTO, file + " has '" + text + "', which is no count", e);
    }
  }

  @Override
  public Map<String, Long> byFile() {
    Map<String, Long> sums = new TreeMap<>();
    for (Path port : ports()) {
      for (String kind : List.of(OF_DRIVER, OF_PORT)) {
        for (Path file : list(port.resolve(kind))) {
          String name = file.getFileName().toString();
          Long value = name.equals(LIFESPAN) ? null : valueIfAny(file);
          if (value != null) {
            sums.merge(kind + "/" + name, value, Long::sum);
          }
        }
      }
    }
    return sums;
  }

  /** Null if the kernel has a file, but of this device no value: the file cannot be read then. */
  private static @Nullable Long valueIfAny(Path file) {
    try {
      return Long.parseUnsignedLong(Files.readString(file).strip());
    } catch (IOException | NumberFormatException e) {
      return null;
    }
  }

  private List<Path> ports() {
    return list(folder.resolve("ports"));
  }

  /** What is in a folder; nothing if it does not exist. */
  private static List<Path> list(Path folder) {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> each = Files.list(folder)) {
      return each.toList();
    } catch (IOException | UncheckedIOException e) {
      throw new VerbsException("counters", Errno.EIO, folder + " cannot be read", e);
    }
  }
}
