package dev.verbena.dropin;

import java.lang.System.Logger.Level;
import java.text.MessageFormat;
import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;

/**
 * Writes the device's log to the program's standard error, in the form of all messages of the
 * drop-in: one line, without the name of a class. VERBENA_LOG sets the level: "debug" and "trace"
 * log more than usual. A Java program that uses libibverbs keeps its own logging, because this
 * class is not on its class path.
 */
public final class ConsoleLogs extends System.LoggerFinder {
  private static final String OURS = "dev.verbena";
  private static final String VARIABLE = "VERBENA_LOG";
  private static final Level OF_OURS = wanted(System.getenv(VARIABLE));

  /** Called by Java, as a service. */
  public ConsoleLogs() {}

  @Override
  public System.Logger getLogger(String name, Module module) {
    return new Log(name);
  }

  /** INFO and above are always logged, so that a mistake in the setting does not hide warnings. */
  private static Level wanted(@Nullable String setting) {
    return switch (setting) {
      case null -> Level.INFO;
      case "", "info" -> Level.INFO;
      case "debug" -> Level.DEBUG;
      case "trace" -> Level.TRACE;
      default -> {
        Console.say(VARIABLE + "=" + setting + " is not one of info, debug, trace; info is used");
        yield Level.INFO;
      }
    };
  }

  private record Log(String name) implements System.Logger {
    @Override
    public String getName() {
      return name;
    }

    @Override
    public boolean isLoggable(Level level) {
      Level least = name.startsWith(OURS) ? OF_OURS : Level.INFO;
      return level != Level.OFF && level.getSeverity() >= least.getSeverity();
    }

    @Override
    public void log(
        Level level,
        @Nullable ResourceBundle bundle,
        @Nullable String message,
        @Nullable Throwable thrown) {
      if (isLoggable(level)) {
        say(message, thrown);
      }
    }

    @Override
    public void log(
        Level level,
        @Nullable ResourceBundle bundle,
        @Nullable String format,
        @Nullable Object @Nullable ... parameters) {
      if (isLoggable(level)) {
        boolean asIs = format == null || parameters == null || parameters.length == 0;
        say(asIs ? format : MessageFormat.format(format, parameters), null);
      }
    }

    private void say(@Nullable String text, @Nullable Throwable thrown) {
      String whose = name.startsWith(OURS) ? "" : name + ": ";
      Console.say(whose + text + (thrown == null ? "" : ": " + thrown));
      // An exception of the system explains itself; an error of ours needs its stack trace.
      if (thrown instanceof RuntimeException || thrown instanceof Error) {
        thrown.printStackTrace();
      }
    }
  }
}
