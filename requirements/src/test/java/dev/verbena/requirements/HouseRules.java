package dev.verbena.requirements;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaFieldAccess;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;

/** Rules on the dependencies of compiled classes. */
final class HouseRules {

  private HouseRules() {}

  /** Callers pass time, randomness and I/O to protocol machines, memory, queues and formats. */
  static ArchRule sansIo(String base) {
    return noClasses()
        .that(
            resideInAnyPackage(
                base + ".wire..",
                base + ".soft.transport..",
                base + ".soft.memory..",
                base + ".soft.queue.."))
        .should()
        .dependOnClassesThat(
            resideInAnyPackage("java.net..", "java.nio.channels..", "java.util.concurrent.locks..")
                .or(assignableTo(Thread.class))
                .or(assignableTo(java.security.SecureRandom.class))
                .or(assignableTo(java.util.Random.class))
                .or(assignableTo(java.util.SplittableRandom.class))
                .or(assignableTo(java.util.concurrent.ThreadLocalRandom.class)))
        .orShould()
        .callMethodWhere(
            target(owner(assignableTo(System.class)))
                .and(target(nameMatching("nanoTime|currentTimeMillis"))))
        .orShould()
        .callMethodWhere(
            target(owner(resideInAPackage("java.time.."))).and(target(nameMatching("now"))))
        .orShould()
        .callMethodWhere(
            target(owner(assignableTo(java.time.Clock.class)))
                .and(target(nameMatching("system.*|tick.*"))))
        .orShould()
        .callMethodWhere(target(owner(assignableTo(Math.class))).and(target(name("random"))))
        .orShould()
        .callMethodWhere(
            target(owner(assignableTo(java.util.UUID.class))).and(target(name("randomUUID"))))
        .orShould()
        .callMethodWhere(
            target(owner(resideInAPackage("java.util.random..")))
                .and(target(nameMatching("of|getDefault|all|create"))))
        .as("wire and soft's transport, memory and queue do no I/O and read no clock or dice");
  }

  /** Package dependencies have no cycles. */
  static ArchRule noCircles(String base) {
    return SlicesRuleDefinition.slices()
        .matching(base + ".(**)")
        .should()
        .beFreeOfCycles()
        .as("there is no circle between packages");
  }

  /** At run time the library needs nothing but the JDK. */
  static ArchRule jdkOnly(String base) {
    return classes()
        .that(resideInAnyPackage(base + ".verbs..", base + ".wire..", base + ".soft.."))
        .should()
        .onlyDependOnClassesThat(
            resideInAnyPackage("java..", "javax..", "jdk.jfr..", "org.jspecify..", base + ".."))
        .as("verbs, wire and soft use the JDK only");
  }

  /** What a class lets others see they read at most: who sets it is in one place. */
  static ArchRule ownFieldsOnly(String base) {
    return noClasses()
        .that(resideInAnyPackage(base + ".verbs..", base + ".wire..", base + ".soft.."))
        .should()
        .setFieldWhere(describe("it belongs to another class", access -> !isOwn(access)))
        .as("a class sets no fields but its own");
  }

  private static boolean isOwn(JavaFieldAccess access) {
    return outermost(access.getOriginOwner())
        .isAssignableTo(outermost(access.getTargetOwner()).getName());
  }

  private static JavaClass outermost(JavaClass nested) {
    return nested.getEnclosingClass().map(HouseRules::outermost).orElse(nested);
  }

  /** The library logs through System.Logger; the standard output belongs to the command. */
  static ArchRule noStandardOutput(String base) {
    return noClasses()
        .that(
            resideInAnyPackage(
                base + ".verbs..", base + ".wire..", base + ".soft..", base + ".tck.."))
        .should()
        .accessField(System.class, "out")
        .as("verbs, wire, soft and tck print nothing to the standard output");
  }
}
