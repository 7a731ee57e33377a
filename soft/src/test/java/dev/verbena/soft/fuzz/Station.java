package dev.verbena.soft.fuzz;

import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.WorkCompletion;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.random.RandomGenerator;

/** One of the two devices, with its memory and the queues of its completions. */
final class Station {
  private final Context context;
  private final ProtectionDomain domain;
  private final CompletionQueue cq;
  private final Estate estate;
  private final Map<Integer, Endpoint> endpoints = new HashMap<>();
  private final WorkCompletion wc = new WorkCompletion();

  Station(Context context, Mutator mutator, RandomGenerator random) {
    this.context = context;
    domain = context.allocPd();
    cq = context.createCq(1024);
    estate = new Estate(domain, context.allocPd(), mutator, random);
  }

  Context context() {
    return context;
  }

  ProtectionDomain domain() {
    return domain;
  }

  CompletionQueue cq() {
    return cq;
  }

  Estate estate() {
    return estate;
  }

  void add(Endpoint endpoint) {
    endpoints.put(endpoint.qp().qpNum(), endpoint);
  }

  /** Takes all completions. */
  void poll() {
    while (cq.poll(wc)) {
      Endpoint endpoint = endpoints.get(wc.qpNum());
      if (endpoint == null) {
        throw new AssertionError(wc + " is of no queue pair");
      }
      endpoint.take(wc);
    }
  }

  /** Takes all asynchronous events. */
  void takeEvents() {
    try {
      AsyncEvent event = context.getAsyncEvent(Duration.ZERO);
      while (event != null) {
        event.ack();
        event = context.getAsyncEvent(Duration.ZERO);
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted although it need not wait", e);
    }
  }
}
