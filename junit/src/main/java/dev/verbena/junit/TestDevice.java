package dev.verbena.junit;

import dev.verbena.verbs.Context;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.Counters;
import dev.verbena.verbs.DeviceSpec;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.FaultSpec;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The device of one test; see {@link RdmaDevice}. */
public final class TestDevice {
  private static final List<Counter> FAULTS =
      Arrays.stream(Counter.values()).filter(c -> c.key().startsWith("faults_")).toList();

  private static final String REORDER =
      "; reorder needs several packets in flight: post more than one request before you wait, or"
          + " use delay";

  private final DeviceSpec asked;
  private final TestFaults faults;
  private final @Nullable Path capture;
  private final Context context;
  private final Counters total;
  private final Map<Counter, Long> before;
  private final Map<String, Long> filesBefore;
  private final Counters counters = new SinceTheBeginning();
  private @Nullable ConnectedPair pair;
  private volatile boolean failed;

  /** Opens the device. */
  TestDevice(DeviceSpec asked, TestFaults faults, @Nullable Path capture) {
    this.asked = asked;
    this.faults = faults;
    this.capture = capture;
    this.context = Devices.open(asked);
    this.total = context.counters();
    this.before = total.snapshot();
    this.filesBefore = total.byFile();
  }

  /**
   * What opens this very device once more, with its faults and its capture, in this process and as
   * long as the test runs: what the program under test takes as its device. {@code soft:new} would
   * be another one.
   */
  public DeviceSpec spec() {
    return context.device().spec();
  }

  /**
   * The context of this test. It is closed after the test, with all that was made from it; the test
   * may close it earlier.
   */
  public Context context() {
    return context;
  }

  /** The faults, with their seed; {@link FaultSpec#NONE} if there are none. */
  public FaultSpec faults() {
    return faults.spec();
  }

  /**
   * The file with the packets of this test, if it has one; it is deleted after the test unless that
   * fails.
   */
  public Optional<Path> capture() {
    return Optional.ofNullable(capture);
  }

  /** The pair of this test, which is made at the first call. */
  public synchronized ConnectedPair pair() {
    ConnectedPair made = pair;
    if (made == null) {
      made = ConnectedPair.in(context);
      pair = made;
    }
    return made;
  }

  /**
   * What the device has counted since the test began; also if its context is closed. A device with
   * a name, such as {@code soft0}, counts as well what other tests do with it at the same time.
   */
  public Counters counters() {
    return counters;
  }

  private long count(Counter counter) {
    return total.get(counter) - before.getOrDefault(counter, 0L);
  }

  /**
   * Fails if the device has done nothing to any packet of this test, which then shows nothing about
   * faults.
   *
   * @throws AssertionError that says how many packets were sent, and with which faults
   */
  public void assertFaultsFired() {
    if (FAULTS.stream().filter(total::has).allMatch(counter -> count(counter) == 0)) {
      throw new AssertionError(
          faults().isActive()
              ? "no fault has fired: "
                  + count(Counter.PACKETS_SENT)
                  + " packets were sent with faults="
                  + faults()
                  + "; send more of them, or make faults more probable"
                  + (faults().reorder() > 0 ? REORDER : "")
              : "no fault can fire: the device "
                  + asked
                  + " has none; give it some by"
                  + " @RdmaDevice(faults = \"drop:0.05\")");
    }
  }

  /** Whether a test has failed that has this device; a factory of dynamic tests has several. */
  boolean hasFailed() {
    return failed;
  }

  /** What a failure has to say beside its cause. */
  String report() {
    failed = true;
    StringBuilder text = new StringBuilder("\n  device: ").append(asked);
    faults
        .repetition()
        .ifPresent(
            annotation ->
                text.append("\n  to repeat: ")
                    .append(annotation)
                    .append(", or the system property ")
                    .append(RdmaExtension.SEED)
                    .append('=')
                    .append(faults().seed()));
    String counted =
        before.keySet().stream()
            .filter(counter -> count(counter) != 0)
            .map(counter -> counter.key() + " " + count(counter))
            .collect(Collectors.joining(", "));
    text.append("\n  counted: ").append(counted.isEmpty() ? "nothing" : counted);
    if (capture != null) {
      text.append("\n  packets: ").append(capture);
    }
    return text.toString();
  }

  void close() {
    context.close();
  }

  private final class SinceTheBeginning implements Counters {
    @Override
    public long get(Counter counter) {
      return count(counter);
    }

    @Override
    public boolean has(Counter counter) {
      return total.has(counter);
    }

    @Override
    public Map<String, Long> byFile() {
      Map<String, Long> since = new LinkedHashMap<>();
      total
          .byFile()
          .forEach((file, count) -> since.put(file, count - filesBefore.getOrDefault(file, 0L)));
      return since;
    }

    @Override
    public String toString() {
      return text();
    }
  }
}
