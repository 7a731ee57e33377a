package dev.verbena.soft.engine.progress;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.soft.queue.Apart;
import dev.verbena.soft.queue.SendQueue;
import dev.verbena.soft.transport.Budget;
import dev.verbena.soft.transport.responder.Responder;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whether the gaps between what different threads write are where they should be: Java orders the
 * fields of a class as it likes. A gap in the wrong place cost the two threads of a ping-pong a
 * third of their time.
 */
final class GapsTest {
  private static final int LINE = 64;

  @Test
  void whatGuardsUseIsALineAwayFromTheNextObject() throws ReflectiveOperationException {
    long end = 0;
    for (Field field : fields(LockGuard.class)) {
      end = Math.max(end, offset(field));
    }
    for (Field field : fields(LockGuard.class)) {
      if (!field.getName().startsWith("gap")) {
        assertThat(offset(field))
            .as("%s before %d", field, end)
            .isLessThanOrEqualTo(end - LINE + 8);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(classes = {Attendance.class, Budget.class, Responder.class, SendQueue.class})
  void whatIsApartIsALineAwayFromTheObjectBefore(Class<? extends Apart> apart)
      throws ReflectiveOperationException {
    for (Field field : fields(apart)) {
      if (!field.getDeclaringClass().equals(Apart.class)) {
        assertThat(offset(field)).as("%s", field).isGreaterThanOrEqualTo(LINE);
      }
    }
  }

  private static List<Field> fields(Class<?> of) {
    List<Field> fields = new ArrayList<>();
    for (Class<?> type = of; type != null; type = type.getSuperclass()) {
      for (Field field : type.getDeclaredFields()) {
        if (!Modifier.isStatic(field.getModifiers())) {
          fields.add(field);
        }
      }
    }
    return fields;
  }

  /** Bytes from the start of an object, which nothing else in Java tells. */
  private static long offset(Field field) throws ReflectiveOperationException {
    Class<?> type = Class.forName("sun.misc.Unsafe");
    Field instance = type.getDeclaredField("theUnsafe");
    instance.setAccessible(true);
    Method offset = type.getMethod("objectFieldOffset", Field.class);
    return (long) offset.invoke(instance.get(null), field);
  }
}
