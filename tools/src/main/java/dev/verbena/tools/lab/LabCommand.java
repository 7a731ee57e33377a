package dev.verbena.tools.lab;

import dev.verbena.tools.kit.Ranges;
import dev.verbena.tools.kit.ResultFiles;
import dev.verbena.tools.kit.ToolException;
import dev.verbena.tools.trace.Trace;
import dev.verbena.verbs.FaultSpec;
import dev.verbena.verbs.VerbsException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** {@code verbena lab}: loses chosen packets of one operation, and shows what happens. */
@Command(
    name = "lab",
    description = {
      "Do one operation between two queue pairs, lose the packets that you choose, and show all of"
          + " them as a ladder. Its numbers count the packets of each end for itself. docs/lab.md"
          + " is a course of experiments with it."
    },
    optionListHeading = "%nOptions:%n",
    footerHeading = "%nExamples:%n",
    footer = {
      "  verbena lab write                    what goes over the wire if nothing is lost",
      "  verbena lab write --drop 3           and without the requester's third packet",
      "  verbena lab add --drop-answer 1      and without the responder's first one",
      "  verbena lab read --faults drop:0.2,seed:7 --svg read.svg"
    })
public final class LabCommand implements Callable<Integer> {
  private static final int DEFAULT_SIZE = 20_000;
  private static final int MOST_SIZE = 1 << 20;
  private static final int ATOMIC_SIZE = 8;

  private final PrintWriter out;

  @Parameters(
      paramLabel = "OPERATION",
      converter = OperationName.class,
      description =
          "write, read, send, add (fetch-and-add), or without reliability uc-write, uc-send.")
  private @Nullable Operation operation;

  @Option(
      names = {"-s", "--size"},
      paramLabel = "BYTES",
      description = "Bytes of the message (default: " + DEFAULT_SIZE + "; add always has 8).")
  private int size = DEFAULT_SIZE;

  @Option(
      names = "--drop",
      paramLabel = "N",
      split = ",",
      description = "The requester's packets to lose, by their numbers: 3, or 3,7.")
  private List<Long> drop = new ArrayList<>();

  @Option(
      names = "--drop-answer",
      paramLabel = "N",
      split = ",",
      description = "The responder's packets to lose.")
  private List<Long> dropAnswer = new ArrayList<>();

  @Option(
      names = "--faults",
      paramLabel = "LIST",
      description = "Any faults, as devices have them, at both ends: drop:0.2,seed:7.")
  private @Nullable String faults;

  @Option(
      names = "--svg",
      paramLabel = "FILE",
      description = "Draw the ladder in a file, too, light or dark as the reader's screen.")
  private @Nullable Path svg;

  @Option(names = "--capture", paramLabel = "FILE", description = "Keep the packets for Wireshark.")
  private @Nullable Path capture;

  /** Prints to {@code out}. */
  public LabCommand(PrintWriter out) {
    this.out = out;
  }

  @Override
  public Integer call() throws IOException {
    if (operation == null) {
      throw new IllegalStateException("the option parser asks for OPERATION");
    }
    Ranges.check("--size", size, 1, MOST_SIZE);
    ResultFiles.check("--svg", svg);
    FaultSpec given = faultSpec();
    Lab.Ends ends =
        new Lab.Ends(dropping(given, "--drop", drop), dropping(given, "--drop-answer", dropAnswer));
    if (capture != null) {
      run(operation, ends, capture);
      return 0;
    }
    Path folder = Files.createTempDirectory("verbena-lab");
    Path file = folder.resolve("lab.pcapng");
    try {
      run(operation, ends, file);
    } finally {
      Files.deleteIfExists(file);
      Files.delete(folder);
    }
    return 0;
  }

  private FaultSpec faultSpec() {
    try {
      return faults == null ? FaultSpec.NONE : FaultSpec.parse(faults);
    } catch (VerbsException e) {
      throw ToolException.usage(e.detail());
    }
  }

  private static FaultSpec dropping(FaultSpec given, String option, List<Long> numbers) {
    numbers.forEach(number -> Ranges.check(option, number, 1, Long.MAX_VALUE));
    return numbers.isEmpty()
        ? given
        : given.withDropNth(numbers.stream().mapToLong(Long::longValue).toArray());
  }

  private void run(Operation wanted, Lab.Ends ends, Path file) throws IOException {
    int bytes = wanted == Operation.ADD ? ATOMIC_SIZE : size;
    // Once without looking, so that no packet is late because Java loads code meanwhile.
    Lab.run(wanted, bytes, ends, null);
    List<String> outcome = Lab.run(wanted, bytes, ends, file);
    Trace.ladders(file).forEach(out::println);
    out.println();
    outcome.forEach(out::println);
    if (svg != null) {
      Trace.drawEachEnd(file, svg);
    }
    out.flush();
  }

  /** Names of operations, as the description has them. */
  static final class OperationName implements ITypeConverter<Operation> {
    @Override
    public Operation convert(String text) {
      return Arrays.stream(Operation.values())
          .filter(each -> each.toString().equals(text))
          .findFirst()
          .orElseThrow(
              () ->
                  new TypeConversionException(
                      "'%s' is not one of %s"
                          .formatted(
                              text,
                              Arrays.stream(Operation.values())
                                  .map(Operation::toString)
                                  .collect(Collectors.joining(", ")))));
    }
  }
}
