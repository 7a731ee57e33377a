package dev.verbena.tools.kit;

import dev.verbena.verbs.DeviceSpec;
import dev.verbena.verbs.VerbsException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The device of a command that uses one. */
public final class DeviceOption {
  /** The short name that every command uses. */
  public static final String SHORT = "-d";

  /** The name in rdma-core's programs. */
  public static final String IB_DEV = "--ib-dev";

  /** The long name. */
  public static final String LONG = "--device";

  /** The placeholder for its value in help texts. */
  public static final String LABEL = "DEVICE";

  /** Start of its description; the default follows. */
  public static final String NAMED = "The device, such as soft0, soft:ADDRESS or mlx5_0 (default: ";

  /** The environment variable that names the device if no option does. */
  public static final String VARIABLE = "VERBENA_DEVICE";

  private static final DeviceSpec FIRST = DeviceSpec.named("soft0");

  @Option(
      names = {SHORT, IB_DEV, LONG},
      paramLabel = LABEL,
      description = NAMED + "$" + VARIABLE + ", or soft0).")
  private @Nullable DeviceSpec given;

  /** The requested device, by default the one at the first free loopback address. */
  public DeviceSpec spec() {
    DeviceSpec asked = orEnvironment(given);
    return asked == null ? FIRST : asked;
  }

  /** The given device, or else the environment's; null if there is none, or it is empty. */
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

  /** Parses an option value that names a device. */
  public static DeviceSpec parse(String text) {
    try {
      return DeviceSpec.parse(text);
    } catch (VerbsException e) {
      throw new TypeConversionException(e.getMessage());
    }
  }
}
