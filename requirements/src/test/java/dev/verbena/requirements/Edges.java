package dev.verbena.requirements;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The only allowed dependencies between parts: modules, and the packages of the software device, of
 * {@code rdmacore} and of {@code dropin}. A class that belongs to no part is a breach, too.
 */
final class Edges {

  private static final Map<String, Set<String>> ALLOWED =
      parse(
          """
          proofs:
          verbs:
          wire:
          soft.memory: verbs
          soft.queue: verbs wire soft.memory
          soft.link: verbs wire
          soft.link.local: verbs wire soft.link
          soft.link.socket: verbs wire soft.link
          soft.link.shm: verbs wire soft.link
          soft.link.wrap: verbs wire soft.link
          soft.transport: verbs wire soft.memory soft.queue
          soft.transport.frames: verbs wire soft.memory soft.queue soft.transport
          soft.transport.requester:
              verbs wire soft.memory soft.queue soft.transport soft.transport.frames
          soft.transport.responder: verbs wire soft.memory soft.queue soft.transport
          soft.transport.packets:
              verbs wire soft.memory soft.transport soft.transport.requester
              soft.transport.responder
          soft.engine.progress: verbs soft.queue soft.transport
          soft.engine.journal: verbs wire soft.transport soft.engine.progress
          soft.engine.tx:
              verbs wire soft.queue soft.link soft.transport soft.transport.requester
              soft.transport.packets
              soft.engine.progress
          soft.engine.qp:
              verbs wire soft.memory soft.queue soft.link soft.transport soft.transport.frames
              soft.transport.requester soft.transport.responder soft.transport.packets
              soft.engine.progress soft.engine.tx
          soft.engine:
              verbs wire soft.memory soft.queue soft.link soft.transport soft.transport.requester
              soft.transport.packets
              soft.engine.progress soft.engine.journal soft.engine.tx soft.engine.qp
          soft.engine.ether:
              verbs wire soft.memory soft.queue soft.link soft.transport soft.transport.frames
              soft.engine.progress soft.engine.qp soft.engine
          soft.device.spec:
              verbs wire soft.memory soft.queue soft.transport soft.transport.frames
              soft.engine.qp soft.engine
          soft.device.open:
              verbs wire soft.memory
              soft.link soft.link.local soft.link.socket soft.link.shm soft.link.wrap
              soft.transport soft.engine.qp soft.engine
              soft.engine.ether soft.device.spec
          soft.device.object:
              verbs soft.memory soft.queue soft.link
              soft.engine.progress soft.engine.qp soft.engine soft.engine.ether
              soft.device.spec soft.device.open
          soft.device.mr: verbs soft.link soft.memory soft.engine soft.device.spec soft.device.object
          soft.device.cq:
              verbs soft.queue soft.transport soft.engine.progress soft.engine
              soft.device.spec soft.device.object
          soft.device.post:
              verbs wire soft.memory soft.queue soft.transport soft.engine.qp
              soft.device.spec soft.device.object soft.device.mr
          soft.device.raw:
              verbs soft.memory soft.queue soft.transport soft.transport.frames
              soft.engine.qp soft.engine soft.engine.ether
              soft.device.spec soft.device.open soft.device.object soft.device.cq
              soft.device.post
          soft.device.qp:
              verbs wire soft.memory soft.queue soft.link soft.transport soft.transport.frames
              soft.engine.progress soft.engine.qp soft.engine soft.engine.ether
              soft.device.spec soft.device.open soft.device.object soft.device.cq
              soft.device.post soft.device.raw
          soft.device:
              verbs soft.memory soft.link soft.link.local soft.transport
              soft.engine soft.engine.ether
              soft.device.spec soft.device.open soft.device.object
              soft.device.mr soft.device.cq soft.device.raw soft.device.qp
          mad.sa: verbs wire
          mad: verbs wire
          junit: verbs
          tck: verbs proofs
          tools: verbs wire
          examples: verbs wire mad
          rdmacore.layout:
          rdmacore.asserts: rdmacore.layout
          rdmacore.host: verbs rdmacore.layout
          rdmacore.call: verbs rdmacore.layout rdmacore.host
          rdmacore.event: verbs rdmacore.layout rdmacore.host rdmacore.call
          rdmacore.post: verbs rdmacore.layout rdmacore.host rdmacore.call
          rdmacore.device:
              verbs rdmacore.layout rdmacore.host rdmacore.call rdmacore.event rdmacore.post
          rdmacore.umad: verbs rdmacore.layout rdmacore.host
          dropin.object: verbs
          dropin.struct: verbs rdmacore.layout rdmacore.host
          dropin: verbs rdmacore.layout rdmacore.host dropin.object dropin.struct
          interop.sides: verbs
          interop.cases: verbs interop.sides
          interop: verbs interop.sides interop.cases
          interop.mads: verbs wire mad interop.sides interop
          bench: verbs
          """);

  private final String base;

  /**
   * @param base the package of the parts, {@code dev.verbena} except for fixtures
   */
  Edges(String base) {
    this.base = base + ".";
  }

  ArchRule rule() {
    return ArchRuleDefinition.classes()
        .that(
            DescribedPredicate.describe(
                "are in " + base, type -> type.getPackageName().startsWith(base)))
        .should(keepToTheEdges())
        .as("parts depend on each other only along the allowed edges");
  }

  private ArchCondition<JavaClass> keepToTheEdges() {
    return new ArchCondition<>("keep to the edges") {
      @Override
      public void check(JavaClass type, ConditionEvents events) {
        Optional<String> from = part(type);
        if (from.isEmpty()) {
          events.add(SimpleConditionEvent.violated(type, type.getName() + " is in no known part"));
          return;
        }
        for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
          JavaClass target = dependency.getTargetClass().getBaseComponentType();
          Optional<String> to = part(target);
          if (to.isPresent() && !to.equals(from) && !isAllowed(from.get(), to.get())) {
            events.add(
                SimpleConditionEvent.violated(
                    dependency,
                    "%s must not use %s: %s"
                        .formatted(from.get(), to.get(), dependency.getDescription())));
          }
        }
      }
    };
  }

  /** A part begins a line and ends with a colon; the parts that it may use follow. */
  private static Map<String, Set<String>> parse(String table) {
    Map<String, Set<String>> edges = new HashMap<>();
    Set<String> uses = new HashSet<>();
    for (String word : table.strip().split("\\s+")) {
      if (word.endsWith(":")) {
        uses = new HashSet<>();
        edges.put(word.substring(0, word.length() - 1), uses);
      } else {
        uses.add(word);
      }
    }
    return edges;
  }

  /** Parts that can reach themselves along the allowed edges; there must be none. */
  static List<String> circles() {
    return ALLOWED.keySet().stream().filter(part -> reaches(part, part)).sorted().toList();
  }

  private static boolean reaches(String from, String to) {
    Set<String> seen = new HashSet<>();
    Deque<String> next = new ArrayDeque<>(ALLOWED.getOrDefault(from, Set.of()));
    while (!next.isEmpty()) {
      String part = next.pop();
      if (part.equals(to)) {
        return true;
      }
      if (seen.add(part)) {
        next.addAll(ALLOWED.getOrDefault(part, Set.of()));
      }
    }
    return false;
  }

  private static boolean isAllowed(String from, String to) {
    return ALLOWED.getOrDefault(from, Set.of()).contains(to);
  }

  /** The part with the longest package that contains the class. */
  private Optional<String> part(JavaClass type) {
    String name = type.getPackageName();
    if (!name.startsWith(base)) {
      return Optional.empty();
    }
    List<String> names = List.of(name.substring(base.length()).split("\\.", -1));
    for (int n = names.size(); n > 0; n--) {
      String part = String.join(".", names.subList(0, n));
      if (ALLOWED.containsKey(part)) {
        return Optional.of(part);
      }
    }
    return Optional.empty();
  }
}
