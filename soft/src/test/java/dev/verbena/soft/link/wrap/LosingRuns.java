package dev.verbena.soft.link.wrap;

import dev.verbena.soft.link.ForwardingLink;
import dev.verbena.soft.link.Link;
import dev.verbena.soft.link.SendBatch;

/** Finds out with the first batch that its way out takes no runs. */
final class LosingRuns extends ForwardingLink {
  private boolean takesRuns = true;

  LosingRuns(Link inner) {
    super(inner);
  }

  @Override
  public int mostSegments() {
    return takesRuns ? inner.mostSegments() : 1;
  }

  @Override
  public boolean send(SendBatch batch, long now) {
    takesRuns = false;
    batch.mostSegments(1);
    return super.send(batch, now);
  }
}
