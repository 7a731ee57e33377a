package dev.verbena.tools.kit;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;

/**
 * The command line for starting this program once more, with the same Java, options, and class or
 * module path.
 */
public final class JavaCommand {
  /** Options that two processes cannot share: debuggers, agents and files. */
  private static final List<String> NOT_SHARED =
      List.of("-agentlib:", "-agentpath:", "-javaagent:", "-XX:AOT", "-XX:StartFlightRecording");

  private static final String NATIVE_ACCESS = "--enable-native-access=";

  /** The command line that starts a main class with these arguments. */
  public static List<String> of(Class<?> main, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(java());
    for (String option : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
      if (NOT_SHARED.stream().noneMatch(option::startsWith)) {
        command.add(option);
      }
    }
    Module module = main.getModule();
    if (module.isNamed()) {
      command.add("-m");
      command.add(module.getName() + "/" + main.getName());
    } else {
      // The manifest of a jar may have granted it, which counts only for java -jar.
      if (module.isNativeAccessEnabled()
          && command.stream().noneMatch(option -> option.startsWith(NATIVE_ACCESS))) {
        command.add(NATIVE_ACCESS + "ALL-UNNAMED");
      }
      command.add("-cp");
      command.add(System.getProperty("java.class.path"));
      command.add(main.getName());
    }
    command.addAll(arguments);
    return command;
  }

  /** The java that runs this program. */
  public static String java() {
    return ProcessHandle.current()
        .info()
        .command()
        .orElseThrow(() -> ToolException.failure("this system does not report where its java is"));
  }

  private JavaCommand() {}
}
