package dev.verbena.soft.device;

import dev.verbena.soft.queue.Guard;

/** The critical section of reading one completion queue, from startPoll to endPoll (S6.15). */
final class PollSection extends CallSection {
  PollSection(Guard guard, Lifetime lifetime) {
    super(guard, lifetime, "startPoll", "endPoll", "completion queue");
  }
}
