package dev.verbena.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.verbs.vtools.CqPoller;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests the steps of a poller between two completions, and events in between. */
class CqPollerStepsTest {
  private final List<String> steps = new ArrayList<>();
  private final Deque<Boolean> found = new ArrayDeque<>();
  private final Deque<Boolean> events = new ArrayDeque<>();
  private final CompletionQueue[] self = new CompletionQueue[1];

  private CompletionQueue queue() {
    CompletionChannel channel =
        Stubs.of(
            CompletionChannel.class,
            Map.of(
                "checkPoll",
                args -> {
                  steps.add("sleep");
                  return events.pop() ? self[0] : null;
                }));
    Context context = Stubs.of(Context.class);
    self[0] =
        Stubs.of(
            CompletionQueue.class,
            Map.of(
                "context",
                args -> context,
                "channel",
                args -> channel,
                "reqNotify",
                args -> {
                  steps.add("arm");
                  return null;
                },
                "poll",
                args -> {
                  // Before it arms the queue it polls for a while, which is one step.
                  if (!steps.isEmpty() && steps.getLast().equals("poll")) {
                    return false;
                  }
                  steps.add("poll");
                  return found.pop();
                }));
    return self[0];
  }

  @Test
  @Proves("PY-102")
  void aCompletionThatComesBeforeTheQueueIsArmedIsFoundBeforeItSleeps() {
    found.addAll(List.of(false, true));
    Iterator<WorkCompletion> loop = new CqPoller(queue()).iterwc(1).iterator();
    assertThat(loop.hasNext()).isTrue();
    assertThat(steps).containsExactly("poll", "arm", "poll");
    assertThat(loop.hasNext()).as("asking twice takes nothing more").isTrue();
    assertThat(steps).hasSize(3);
    loop.next();
    assertThat(loop.hasNext()).isFalse();
    assertThat(steps).hasSize(3);
  }

  @Test
  @Proves("PY-102")
  void afterAnEventItPollsAndArmsAgain() {
    found.addAll(List.of(false, false, false, false, true));
    events.addAll(List.of(true, true));
    assertThat(new CqPoller(queue()).iterwc(1).iterator().hasNext()).isTrue();
    assertThat(steps)
        .containsExactly("poll", "arm", "poll", "sleep", "poll", "arm", "poll", "sleep", "poll");
  }
}
