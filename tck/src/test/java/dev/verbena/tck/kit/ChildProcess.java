package dev.verbena.tck.kit;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Another process, mostly a Java one, whose output is kept for the messages of failures. */
public final class ChildProcess implements AutoCloseable {
  /** Most children live for seconds, in which the better compiler takes more than it gives. */
  public static final String QUICK_COMPILER = "-XX:TieredStopAtLevel=1";

  private final Process process;
  private final Path output;

  private ChildProcess(Process process, Path output) {
    this.process = process;
    this.output = output;
  }

  /** Starts this JDK's java with these arguments. */
  public static ChildProcess start(List<String> arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(java());
    command.addAll(arguments);
    return run(command);
  }

  /** Starts a main class of the tests on their class path. */
  public static ChildProcess startMain(Class<?> main, String... arguments) throws IOException {
    return run(javaMain(main, arguments));
  }

  /** The command that runs a main class of the tests on their class path, in a small JVM. */
  public static List<String> javaMain(Class<?> main, String... arguments) {
    return javaMain(main, classPath(), arguments);
  }

  /** The command that runs a main class of the tests on a class path. */
  public static List<String> javaMain(Class<?> main, List<String> classPath, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(java());
    command.add("-Xmx128m");
    command.add("-XX:+UseSerialGC");
    command.add(QUICK_COMPILER);
    command.add("--enable-native-access=ALL-UNNAMED");
    command.add("-cp");
    command.add(String.join(File.pathSeparator, classPath));
    command.add(main.getName());
    command.addAll(List.of(arguments));
    return command;
  }

  /** Starts any command. */
  public static ChildProcess run(List<String> command) throws IOException {
    Path output = Files.createTempFile("child", ".log");
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    return new ChildProcess(process, output);
  }

  private static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  /** The entries of the tests' class path, which Surefire hides behind a jar. */
  public static List<String> classPath() {
    String path =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    return Arrays.stream(path.split(File.pathSeparator, -1))
        .filter(entry -> !entry.isEmpty())
        .toList();
  }

  /** Waits for the end; the exit code. */
  public int exitCode() throws InterruptedException {
    if (!process.waitFor(60, TimeUnit.SECONDS)) {
      throw new AssertionError("the child still runs after 60 s; it wrote:\n" + output());
    }
    return process.exitValue();
  }

  /** Kills it without warning, and waits until it is gone. */
  public void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  /** Stops it where it is (SIGSTOP), with all that it holds, and waits until it is stopped. */
  public void stop() throws IOException, InterruptedException {
    signal("STOP");
    Path stat = Path.of("/proc/" + pid() + "/stat");
    Await.until("the child to stop", () -> isStopped(stat));
  }

  private static boolean isStopped(Path stat) {
    try {
      String text = Files.readString(stat);
      // Behind the name of the program, which may have blanks.
      return text.charAt(text.lastIndexOf(')') + 2) == 'T';
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Lets it go on after {@link #stop}. */
  public void goOn() throws IOException, InterruptedException {
    signal("CONT");
  }

  private void signal(String name) throws IOException, InterruptedException {
    int code = new ProcessBuilder("kill", "-" + name, "" + pid()).start().waitFor();
    if (code != 0) {
      throw new IOException("kill -" + name + " " + pid() + " ended with " + code);
    }
  }

  /** Whether it still runs. */
  public boolean isAlive() {
    return process.isAlive();
  }

  /** Its number. */
  public long pid() {
    return process.pid();
  }

  /** What it wrote so far. */
  public String output() {
    return output(0);
  }

  /** What it wrote so far behind so many bytes, if that is ASCII. */
  public String output(long from) {
    try (SeekableByteChannel file = Files.newByteChannel(output)) {
      file.position(from);
      return new String(Channels.newInputStream(file).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Writes a line to its standard input; does nothing if it has ended. */
  public void tell(String line) {
    try {
      OutputStream input = process.getOutputStream();
      input.write((line + "\n").getBytes(StandardCharsets.UTF_8));
      input.flush();
    } catch (IOException e) {
      if (process.isAlive()) {
        throw new UncheckedIOException(e);
      }
    }
  }

  @Override
  public void close() throws IOException {
    process.destroyForcibly();
    Files.deleteIfExists(output);
  }
}
