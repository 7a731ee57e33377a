package dev.verbena.tck.kit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.EventType;
import java.time.Duration;

/** Takes asynchronous events. */
public final class Events {

  /**
   * Waits for an event of this type, which it does not acknowledge; acknowledges all earlier ones.
   */
  public static AsyncEvent await(Context context, EventType type) throws InterruptedException {
    while (true) {
      AsyncEvent event = context.getAsyncEvent(Await.DEADLINE);
      assertThat(event).as("event %s within %s", type, Await.DEADLINE).isNotNull();
      if (event.eventType() == type) {
        return event;
      }
      event.ack();
    }
  }

  /** Checks that no event waits now. */
  public static void assertNone(Context context) throws InterruptedException {
    assertThat(context.getAsyncEvent(Duration.ZERO)).as("unexpected event").isNull();
  }

  private Events() {}
}
