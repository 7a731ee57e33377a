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
import java.util.stream.Stream;

/**
 * What the kernel's driver of a device counts, at all ports: the files in {@code hw_counters}.
 *
 * @param device its name
 * @param folder its folder in /sys/class/infiniband
 */
record DriverCounters(String device, Path folder) implements Counters {
  /** The files that make a value, as rxe and mlx5 call them; a device has some of them. */
  private static final Map<Counter, List<String>> FILES =
      Map.ofEntries(
          Map.entry(Counter.PACKETS_SENT, List.of("sent_pkts")),
          Map.entry(Counter.PACKETS_RECEIVED, List.of("rcvd_pkts")),
          Map.entry(Counter.TIMEOUTS, List.of("local_ack_timeout_err")),
          Map.entry(Counter.RNR_NAKS_SENT, List.of("send_rnr_err")),
          Map.entry(Counter.RNR_NAKS_RECEIVED, List.of("rcvd_rnr_err", "rnr_nak_retry_err")),
          Map.entry(Counter.SEQUENCE_NAKS_SENT, List.of("out_of_seq_request")),
          Map.entry(Counter.SEQUENCE_NAKS_RECEIVED, List.of("rcvd_seq_err", "packet_seq_err")),
          Map.entry(Counter.CONGESTION_NOTIFICATIONS_SENT, List.of("np_cnp_sent")),
          Map.entry(
              Counter.CONGESTION_NOTIFICATIONS_RECEIVED,
              List.of("rp_cnp_handled", "rp_cnp_ignored")),
          Map.entry(Counter.DUPLICATE_REQUESTS, List.of("duplicate_request")),
          Map.entry(Counter.DROPPED_ICRC, List.of("rx_icrc_encapsulated")));

  @Override
  public boolean has(Counter counter) {
    return !files(counter).isEmpty();
  }

  @Override
  public long get(Counter counter) {
    List<Path> files = files(counter);
    if (files.isEmpty()) {
      throw new VerbsException(
          "counters",
          Errno.EOPNOTSUPP,
          "the driver of "
              + device
              + " does not count "
              + counter.key()
              + (FILES.containsKey(counter)
                  ? ": no port has hw_counters/" + String.join(" or ", FILES.get(counter))
                  : ""));
    }
    return files.stream().mapToLong(this::value).sum();
  }

  private long value(Path file) {
    String text = "";
    try {
      text = Files.readString(file).strip();
      return Long.parseUnsignedLong(text);
    } catch (IOException e) {
      throw new VerbsException("counters", Errno.EIO, file + " of " + device + " is gone", e);
    } catch (NumberFormatException e) {
      throw new VerbsException(
          "counters", Errno.EPROTO, file + " has '" + text + "', which is no count", e);
    }
  }

  private List<Path> files(Counter counter) {
    List<String> names = FILES.getOrDefault(counter, List.of());
    Path ports = folder.resolve("ports");
    if (names.isEmpty() || !Files.isDirectory(ports)) {
      return List.of();
    }
    try (Stream<Path> each = Files.list(ports)) {
      return each.map(port -> port.resolve("hw_counters"))
          .flatMap(port -> names.stream().map(port::resolve))
          .filter(Files::exists)
          .toList();
    } catch (IOException | UncheckedIOException e) {
      throw new VerbsException("counters", Errno.EIO, ports + " cannot be read", e);
    }
  }
}
