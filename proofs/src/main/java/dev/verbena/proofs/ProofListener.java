package dev.verbena.proofs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * Writes what the tests of one run proved to a table in a folder of the module, for the requirement
 * report.
 *
 * <p>The build names the folder and itself by two system properties; without them (a run from an
 * IDE, say) nothing is written. Tables of other builds in the folder are removed.
 */
public final class ProofListener implements TestExecutionListener {

  /** System property: the folder that takes the tables. */
  public static final String FOLDER_PROPERTY = "verbena.proofs.dir";

  /** System property: the build, which starts each table's file name. */
  public static final String BUILD_PROPERTY = "verbena.proofs.build";

  private static final AtomicInteger RUNS = new AtomicInteger();

  private final @Nullable Path folder;
  private final @Nullable String build;
  private volatile ProofRecorder recorder = new ProofRecorder();

  /** Called by the JUnit platform, through the service loader. */
  public ProofListener() {
    this(System.getProperty(FOLDER_PROPERTY), System.getProperty(BUILD_PROPERTY));
  }

  ProofListener(@Nullable String folder, @Nullable String build) {
    this.folder = folder == null ? null : Path.of(folder);
    this.build = build;
  }

  @Override
  public void testPlanExecutionStarted(TestPlan plan) {
    recorder = new ProofRecorder();
  }

  @Override
  public void executionFinished(TestIdentifier identifier, TestExecutionResult result) {
    recorder.finished(identifier, result.getStatus());
  }

  @Override
  public void executionSkipped(TestIdentifier identifier, String reason) {
    recorder.skipped(identifier);
  }

  @Override
  public void testPlanExecutionFinished(TestPlan plan) {
    if (folder != null && build != null) {
      write(folder, build, recorder.rows(plan));
    }
  }

  private static void write(Path folder, String build, List<ProofRow> rows) {
    try {
      Files.createDirectories(folder);
      try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*.tsv")) {
        for (Path file : files) {
          if (!file.getFileName().toString().startsWith(build + "-")) {
            Files.deleteIfExists(file);
          }
        }
      }
      String name =
          "%s-%d-%d.tsv".formatted(build, ProcessHandle.current().pid(), RUNS.incrementAndGet());
      Files.write(folder.resolve(name), rows.stream().map(ProofRow::toLine).toList());
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write the proofs of this run to " + folder, e);
    }
  }
}
