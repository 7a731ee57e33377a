package dev.verbena.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Gives each test method of a class, or one test method, a device of its own:
 *
 * {@snippet :
 * @Test
 * @RdmaDevice(faults = "drop:0.05")
 * void aWriteSurvivesLoss(TestDevice device, ConnectedPair pair) {
 *   pair.left().qp().postSend(write);
 *   Completions.await(pair.left().cq(), Duration.ofSeconds(10));
 *   device.assertFaultsFired();
 * }
 * }
 *
 * <p>A test method, and methods for before and after each test, may have parameters of these types:
 *
 * <ul>
 *   <li>{@link TestDevice}: what this test has
 *   <li>{@link dev.verbena.verbs.Context}: an open context on the device
 *   <li>{@link ConnectedPair}: two connected RC queue pairs on it
 *   <li>{@link dev.verbena.verbs.Counters}: what the device has counted since the test began
 * </ul>
 *
 * <p>The device is opened when the first such parameter is needed, and closed after the test, with
 * all that was made from its context. If the test fails, its message gets the seed of the faults,
 * what the faults did, and the file with the packets.
 *
 * <p>An annotation of the method replaces that of the class.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Documented
@ExtendWith(RdmaExtension.class)
public @interface RdmaDevice {
  /**
   * The device, as {@link dev.verbena.verbs.DeviceSpec} describes it. {@code soft:new} is in memory
   * and no other test can have it, so tests may run in parallel. Give {@code faults} and {@code
   * capture} by the elements of this annotation.
   */
  String value() default "soft:new";

  /**
   * What happens to packets, as {@link dev.verbena.verbs.FaultSpec} describes it, such as {@code
   * drop:0.05,corrupt:0.01}; nothing if empty. A seed in it counts as {@link #seed()}.
   */
  String faults() default "";

  /**
   * The seed of the faults. 0 chooses another one for each test; a failure tells which. The
   * configuration parameter, or system property, {@code verbena.junit.seed} overrides 0.
   */
  long seed() default 0;

  /**
   * Whether packets are captured. The file of a test that fails is kept in the folder that the
   * configuration parameter, or system property, {@code verbena.junit.captures} names; by default
   * {@code verbena-captures} in {@code target} or {@code build}, whichever exists, else in the
   * folder for temporary files. A device that captures exchanges packets also within the process,
   * instead of whole messages.
   */
  boolean capture() default true;
}
