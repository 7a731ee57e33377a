package dev.verbena.soft.device;

import dev.verbena.soft.queue.Guard;

/**
 * The critical section of posting to one queue pair: for one call, or from wrStart to wrComplete
 * (S2.20).
 */
final class PostSection extends CallSection {
  PostSection(Guard guard, Lifetime lifetime) {
    super(guard, lifetime, "wrStart", "wrComplete", "queue pair");
  }
}
