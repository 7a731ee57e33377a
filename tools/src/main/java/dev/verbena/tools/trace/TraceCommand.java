package dev.verbena.tools.trace;

import dev.verbena.tools.kit.Ranges;
import dev.verbena.tools.kit.ResultFiles;
import dev.verbena.tools.kit.ToolException;
import dev.verbena.wire.CaptureFormatException;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** {@code verbena trace}: the RoCE packets of a capture file as a ladder. */
@Command(
    name = "trace",
    description = {
      "Show the RoCE v2 packets of a capture file, of ours or of tcpdump or Wireshark (pcapng or"
          + " pcap), as a ladder for each pair of queue pairs that talk to each other. Next to a"
          + " packet stands what is remarkable about it: a PSN that was seen before, that comes"
          + " behind higher ones or after a gap, an injected fault, a wrong ICRC. The arrow of a"
          + " packet that a fault has dropped ends at an X. Then come statistics of each"
          + " direction, always of the whole file."
    },
    optionListHeading = "%nOptions:%n")
public final class TraceCommand implements Callable<Integer> {
  private final PrintWriter out;

  @Parameters(paramLabel = "FILE", description = "The capture file.")
  private @Nullable Path file;

  @Option(
      names = "--qp",
      paramLabel = "NUMBER",
      split = ",",
      converter = QpNumber.class,
      description = "Only conversations of these queue pairs, such as 17 or 0x11.")
  private List<Integer> qpns = new ArrayList<>();

  @Option(
      names = "--from",
      paramLabel = "N",
      description = "Ladders start at this packet number, or with psn:N at this PSN.")
  private @Nullable String from;

  @Option(
      names = "--to",
      paramLabel = "N",
      description = "Ladders end with this packet number, or with psn:N with this PSN.")
  private @Nullable String to;

  @Option(
      names = "--most",
      paramLabel = "N",
      defaultValue = "1000",
      description = "The most packets of a ladder, 0 for all (default: ${DEFAULT-VALUE}).")
  private long most;

  @Option(
      names = "--svg",
      paramLabel = "FILE",
      description = "Write the ladders to a file as an image, too, light or dark as the reader's.")
  private @Nullable Path svg;

  @Option(names = "--statistics", description = "Only the statistics.")
  private boolean onlyStatistics;

  /** Prints to {@code out}. */
  public TraceCommand(PrintWriter out) {
    this.out = out;
  }

  @Override
  public Integer call() throws IOException {
    if (file == null) {
      throw new IllegalStateException("the option parser asks for FILE");
    }
    Ranges.check("--most", most, 0, Long.MAX_VALUE);
    ResultFiles.check("--svg", svg);
    Excerpt excerpt = Excerpt.of(from, to);
    if (onlyStatistics && excerpt.isPart()) {
      throw ToolException.usage(
          "--statistics are of the whole file, not of the packets " + excerpt);
    }
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      throw ToolException.failure(file + " is not a regular file; write the capture to one");
    }
    try (FileChannel channel = FileChannel.open(file);
        Arena arena = Arena.ofConfined()) {
      print(channel.map(MapMode.READ_ONLY, 0, channel.size(), arena), excerpt);
    } catch (NoSuchFileException e) {
      throw ToolException.failure(file + ": no such file", e);
    } catch (AccessDeniedException e) {
      throw ToolException.failure(file + ": you may not read this file", e);
    } catch (CaptureFormatException e) {
      throw ToolException.failure(file + ": " + e.getMessage(), e);
    }
    return 0;
  }

  /** Prints also what comes before an error of the file. */
  private void print(MemorySegment bytes, Excerpt excerpt)
      throws CaptureFormatException, IOException {
    Trace trace = new Trace(bytes, qpns, excerpt, most);
    trace.summary().forEach(line -> out.println(file + ": " + line));
    List<List<String>> ladders = trace.ladders();
    if (!onlyStatistics) {
      ladders.forEach(this::section);
    }
    if (svg != null) {
      Files.writeString(svg, trace.svg());
    }
    trace.statistics().forEach(this::section);
    out.flush();
    CaptureFormatException end = trace.end();
    if (end != null) {
      throw end;
    }
    if (trace.packets() == 0) {
      throw ToolException.failure(file + ": no complete RoCE v2 packet (UDP port 4791)");
    }
    if (ladders.isEmpty() && excerpt.isPart()) {
      throw ToolException.failure(file + ": no packet " + excerpt);
    }
  }

  private void section(List<String> lines) {
    out.println();
    lines.forEach(out::println);
  }

  /** Numbers of queue pairs, decimal or hexadecimal, as the ladders show them. */
  static final class QpNumber implements ITypeConverter<Integer> {
    private static final int MOST = 0xFFFFFF;

    @Override
    public Integer convert(String text) {
      try {
        int number = Integer.decode(text);
        if (number >= 0 && number <= MOST) {
          return number;
        }
      } catch (NumberFormatException e) {
        throw new TypeConversionException("'" + text + "' is not a queue pair number");
      }
      throw new TypeConversionException("'" + text + "' is not in 0 to " + MOST);
    }
  }
}
