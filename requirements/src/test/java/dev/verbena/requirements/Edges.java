package dev.verbena.requirements;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The only allowed dependencies between parts of the house: modules, and the packages of the
 * software device. A class that belongs to no part is a breach too.
 */
final class Edges {

  private static final Set<String> SOFT_USES = Set.of("verbs");

  private static final Map<String, Set<String>> ALLOWED =
      Map.ofEntries(
          Map.entry("proofs", Set.of()),
          Map.entry("verbs", Set.of()),
          Map.entry("wire", Set.of()),
          Map.entry(
              "soft.device",
              Set.of(
                  "verbs",
                  "wire",
                  "soft.engine",
                  "soft.transport",
                  "soft.queue",
                  "soft.memory",
                  "soft.link")),
          Map.entry(
              "soft.engine",
              Set.of("verbs", "wire", "soft.transport", "soft.queue", "soft.memory", "soft.link")),
          Map.entry("soft.transport", Set.of("verbs", "wire", "soft.queue", "soft.memory")),
          Map.entry("soft.queue", Set.of("verbs", "soft.memory")),
          Map.entry("soft.memory", SOFT_USES),
          Map.entry("soft.link", Set.of("verbs", "wire")),
          Map.entry("tck", Set.of("verbs", "proofs")),
          Map.entry("tools", Set.of("verbs", "wire")),
          Map.entry("examples", Set.of("verbs")),
          Map.entry("rdmacore", Set.of()),
          Map.entry("dropin", Set.of("verbs", "rdmacore")),
          Map.entry("interop", Set.of("verbs")));

  private final String base;

  /**
   * @param base the package that the parts are in, {@code dev.verbena} but for fixtures
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

  private static boolean isAllowed(String from, String to) {
    return ALLOWED.getOrDefault(from, Set.of()).contains(to);
  }

  /** The longest part whose package holds the class. */
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
