package dev.verbena.junit;

import dev.verbena.verbs.Context;
import dev.verbena.verbs.Counters;
import dev.verbena.verbs.DeviceSpec;
import dev.verbena.verbs.VerbsException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.DynamicTestInvocationContext;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.LifecycleMethodExecutionExceptionHandler;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.junit.jupiter.api.extension.TestWatcher;
import org.junit.platform.commons.support.AnnotationSupport;
import org.opentest4j.TestAbortedException;

/**
 * Opens the device of a test, hands it to the test, and says how a failure can be repeated. {@link
 * RdmaDevice} brings it along.
 */
public final class RdmaExtension
    implements ParameterResolver,
        AfterEachCallback,
        TestExecutionExceptionHandler,
        LifecycleMethodExecutionExceptionHandler,
        InvocationInterceptor,
        TestWatcher {
  /** The device that no other test has. */
  static final String OWN_DEVICE = "soft:new";

  /** The parameter that has the seed of all tests that do not name one. */
  static final String SEED = "verbena.junit.seed";

  private static final String CAPTURES = "verbena.junit.captures";
  private static final int LONGEST_NAME = 100;
  private static final ExtensionContext.Namespace NAMESPACE =
      ExtensionContext.Namespace.create(RdmaExtension.class);

  /** For JUnit. */
  public RdmaExtension() {}

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext test) {
    Class<?> type = parameter.getParameter().getType();
    return test.getTestMethod().isPresent()
        && parameter.getDeclaringExecutable() instanceof Method
        && (type == TestDevice.class
            || type == Context.class
            || type == ConnectedPair.class
            || type == Counters.class);
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext test) {
    TestDevice device = deviceOf(test);
    Class<?> type = parameter.getParameter().getType();
    if (type == TestDevice.class) {
      return device;
    }
    if (type == Context.class) {
      return device.context();
    }
    return type == Counters.class ? device.counters() : device.pair();
  }

  private static ExtensionContext.Store store(ExtensionContext test) {
    return test.getStore(NAMESPACE);
  }

  private static @Nullable TestDevice openDevice(ExtensionContext test) {
    return store(test).get(TestDevice.class, TestDevice.class);
  }

  private static TestDevice deviceOf(ExtensionContext test) {
    TestDevice open = openDevice(test);
    if (open == null) {
      open = open(test);
      store(test).put(TestDevice.class, open);
    }
    return open;
  }

  private static TestDevice open(ExtensionContext test) {
    RdmaDevice wanted = annotation(test);
    try {
      DeviceSpec spec = DeviceSpec.parse(wanted.value());
      refuse(spec, "faults");
      refuse(spec, "capture");
      TestFaults faults = TestFaults.of(wanted, name(test), () -> configuredSeed(test));
      if (faults.spec().isActive()) {
        spec = spec.faults(faults.spec());
      }
      return wanted.capture() && spec.isSoftware()
          ? capturing(spec, faults, test)
          : new TestDevice(spec, faults, null);
    } catch (VerbsException e) {
      throw new ExtensionConfigurationException(
          "@RdmaDevice of " + name(test) + ": " + e.getMessage(), e);
    }
  }

  private static void refuse(DeviceSpec spec, String option) {
    if (spec.options().containsKey(option)) {
      throw new ExtensionConfigurationException(
          "@RdmaDevice(\"" + spec + "\"): give " + option + " by the element of that name");
    }
  }

  private static RdmaDevice annotation(ExtensionContext test) {
    Optional<RdmaDevice> found =
        AnnotationSupport.findAnnotation(test.getRequiredTestMethod(), RdmaDevice.class);
    Class<?> type = test.getRequiredTestClass();
    while (found.isEmpty() && type != null) {
      found = AnnotationSupport.findAnnotation(type, RdmaDevice.class);
      type = type.getEnclosingClass();
    }
    return found.orElseThrow();
  }

  private static OptionalLong configuredSeed(ExtensionContext test) {
    String text = test.getConfigurationParameter(SEED).orElse("0");
    try {
      long seed = Long.parseLong(text);
      return seed == 0 ? OptionalLong.empty() : OptionalLong.of(seed);
    } catch (NumberFormatException e) {
      throw new ExtensionConfigurationException(
          SEED + "=" + text + ": a seed is a whole number, and 0 chooses one", e);
    }
  }

  private static TestDevice capturing(DeviceSpec spec, TestFaults faults, ExtensionContext test) {
    Path file = captureFile(test);
    try {
      TestDevice device = new TestDevice(spec.capture(file), faults, file);
      captures(test).put(test.getUniqueId(), file);
      return device;
    } catch (RuntimeException e) {
      delete(file);
      throw e;
    }
  }

  /** Known to the class, because how a test ends is known only when the store of the test ends. */
  private static ExtensionContext.Store captures(ExtensionContext test) {
    return test.getParent().orElse(test.getRoot()).getStore(NAMESPACE);
  }

  private static Path captureFile(ExtensionContext test) {
    Path folder =
        test.getConfigurationParameter(CAPTURES)
            .map(Path::of)
            .orElseGet(RdmaExtension::defaultFolder);
    try {
      Files.createDirectories(folder);
      return Files.createTempFile(folder, fileName(test) + "-", ".pcapng").toAbsolutePath();
    } catch (IOException e) {
      throw new UncheckedIOException("no packets can be captured in " + folder, e);
    }
  }

  private static Path defaultFolder() {
    for (String made : new String[] {"target", "build"}) {
      Path folder = Path.of(made);
      if (Files.isDirectory(folder)) {
        return folder.resolve("verbena-captures");
      }
    }
    return Path.of(System.getProperty("java.io.tmpdir"), "verbena-captures");
  }

  /** What every file system takes: the names of methods in Kotlin may be whole sentences. */
  private static String fileName(ExtensionContext test) {
    String plain = name(test).replaceAll("[^\\p{Alnum}._-]", "_");
    return plain.substring(0, Math.min(plain.length(), LONGEST_NAME));
  }

  private static String name(ExtensionContext test) {
    return test.getRequiredTestClass().getSimpleName()
        + "."
        + test.getRequiredTestMethod().getName();
  }

  /** Its name, and which invocation or dynamic test it is if the method has several. */
  private static String title(ExtensionContext test) {
    String shown = test.getDisplayName();
    if (test.getTestMethod().filter(method -> shown.startsWith(method.getName())).isPresent()) {
      return name(test);
    }
    ExtensionContext method = test;
    while (method.getTestMethod().isEmpty()) {
      method = method.getParent().orElseThrow();
    }
    return name(method) + ", " + shown + ",";
  }

  @Override
  public void handleTestExecutionException(ExtensionContext test, Throwable cause)
      throws Throwable {
    throw explained(test, cause);
  }

  @Override
  public void handleBeforeEachMethodExecutionException(ExtensionContext test, Throwable cause)
      throws Throwable {
    throw explained(test, cause);
  }

  @Override
  public void handleAfterEachMethodExecutionException(ExtensionContext test, Throwable cause)
      throws Throwable {
    throw explained(test, cause);
  }

  @Override
  public void interceptDynamicTest(
      Invocation<@Nullable Void> invocation,
      DynamicTestInvocationContext context,
      ExtensionContext test)
      throws Throwable {
    explaining(invocation, test);
  }

  /** No handler learns what a factory of dynamic tests throws. */
  @Override
  public <T extends @Nullable Object> T interceptTestFactoryMethod(
      Invocation<T> invocation, ReflectiveInvocationContext<Method> context, ExtensionContext test)
      throws Throwable {
    return explaining(invocation, test);
  }

  private static <T extends @Nullable Object> T explaining(
      Invocation<T> invocation, ExtensionContext test) throws Throwable {
    try {
      return invocation.proceed();
    } catch (Throwable e) {
      throw explained(test, e);
    }
  }

  /**
   * The failure of a test, unchanged, which carries along what its device has to say. That is
   * printed as well, because build tools may cut it off with the stack trace.
   */
  private static Throwable explained(ExtensionContext test, Throwable cause) {
    TestDevice device = openDevice(test);
    if (device != null && !(cause instanceof TestAbortedException)) {
      try {
        String report = device.report();
        cause.addSuppressed(new TestReport(report));
        System.err.println("verbena: " + title(test) + " has failed" + report);
      } catch (RuntimeException e) {
        cause.addSuppressed(e);
      }
    }
    return cause;
  }

  @Override
  public void afterEach(ExtensionContext test) {
    TestDevice device = openDevice(test);
    if (device != null) {
      device.close();
      // No watcher learns how a factory of dynamic tests ends.
      if (AnnotationSupport.isAnnotated(test.getTestMethod(), TestFactory.class)
          && !device.hasFailed()
          && test.getExecutionException().isEmpty()) {
        deleteCapture(test);
      }
    }
  }

  @Override
  public void testSuccessful(ExtensionContext test) {
    deleteCapture(test);
  }

  @Override
  public void testAborted(ExtensionContext test, @Nullable Throwable cause) {
    deleteCapture(test);
  }

  private static void deleteCapture(ExtensionContext test) {
    Path file = captures(test).remove(test.getUniqueId(), Path.class);
    if (file != null) {
      delete(file);
    }
  }

  private static void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw new UncheckedIOException("the capture of a test could not be deleted", e);
    }
  }
}
