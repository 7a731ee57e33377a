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
 * void writesSurviveLoss(TestDevice device, ConnectedPair pair) {
 *   SendWr write =
 *       new SendWr()
 *           .opcode(WrOpcode.RDMA_WRITE)
 *           .sendFlags(SendFlags.SIGNALED)
 *           .sgList(pair.left().memory().sge())
 *           .rkey(pair.right().memory().rkey())
 *           .remoteAddr(pair.right().memory().addr());
 *   for (int i = 0; i < 20; i++) { // 20 times 64 KiB: enough packets for a fault to hit some
 *     pair.left().qp().postSend(write);
 *     Completions.await(pair.left().cq(), Duration.ofSeconds(10));
 *   }
 *   device.assertFaultsFired();
 * }
 * }
 *
 * <p>{@code dev.verbena.verbs.RdmaDevice} has the same name, so that a file which imports all of
 * both packages must import this annotation by its name.
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
 * all that was made from its context; the test may close it earlier. If the test fails, its
 * exception carries along, as a suppressed one, the seed of the faults, what was counted, and the
 * file with the packets; the same is printed to standard error. The dynamic tests of a {@code
 * TestFactory} have the device of the factory together.
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
   *
   * <p>Tests that run in parallel share any other software device, such as {@code soft0}, which has
   * one capture, one set of faults and one set of counters: let those run in the same thread, or at
   * least with {@code capture = false} and without faults. A device of libibverbs, such as {@code
   * rxe0}, has neither faults nor captures.
   */
  String value() default RdmaExtension.OWN_DEVICE;

  /**
   * What happens to packets, as {@link dev.verbena.verbs.FaultSpec} describes it, such as {@code
   * drop:0.05,corrupt:0.01}; nothing if empty. A seed in it counts as {@link #seed()}.
   */
  String faults() default "";

  /**
   * The seed of the faults. 0 chooses another one for each test; a failure tells which. The
   * configuration parameter, or system property, {@code verbena.junit.seed} overrides 0, unless it
   * is 0, too. Only for tests with faults.
   */
  long seed() default 0;

  /**
   * Whether packets are captured, if the device is a software device. The file of a test that fails
   * is kept in the folder that the configuration parameter, or system property, {@code
   * verbena.junit.captures} names; by default {@code verbena-captures} in {@code target} or {@code
   * build}, whichever exists, else in the folder for temporary files. A device that captures
   * exchanges packets also within the process, instead of whole messages.
   */
  boolean capture() default true;
}
