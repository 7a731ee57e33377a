package dev.verbena.tools.kit;

import dev.verbena.verbs.DeviceSpec;
import dev.verbena.verbs.VerbsException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The device of a command that uses one. */
public final class DeviceOption {
  /** As every command names it. */
  public static final String SHORT = "-d";

  /** As rdma-core's programs name it. */
  public static final String IB_DEV = "--ib-dev";

  /** In full. */
  public static final String LONG = "--device";

  /** What stands for its value in helps. */
  public static final String LABEL = "DEVICE";

  /** Begins its description; the default follows. */
  public static final String NAMED = "The device, as soft0 or soft:ADDRESS (default: ";

  /** The environment variable that names the device where no option does. */
  public static final String VARIABLE = "VERBENA_DEVICE";

  private static final DeviceSpec FIRST = DeviceSpec.named("soft0");

  @Option(
      names = {SHORT, IB_DEV, LONG},
      paramLabel = LABEL,
      description = NAMED + "$" + VARIABLE + ", or soft0).")
  private @Nullable DeviceSpec given;

  /** What was asked for, by default the first free loopback address. */
  public DeviceSpec spec() {
    DeviceSpec asked = orEnvironment(given);
    return asked == null ? FIRST : asked;
  }

  /** The device given, or else the environment's; null if there is none, or an empty one. */
  public static @Nullable DeviceSpec orEnvironment(@Nullable DeviceSpec given) {
    String text = System.getenv(VARIABLE);
    if (given != null || text == null || text.isEmpty()) {
      return given;
    }
    try {
      return parse(text);
    } catch (TypeConversionException e) {
      throw ToolException.usage(VARIABLE + ": " + e.getMessage());
    }
  }

  /** Reads an option value that names a device. */
  public static DeviceSpec parse(String text) {
    try {
      return DeviceSpec.parse(text);
    } catch (VerbsException e) {
      throw new TypeConversionException(e.getMessage());
    }
  }
}
