package dev.verbena.requirements;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import dev.verbena.requirements.fixture.circle.chicken.Chicken;
import dev.verbena.requirements.fixture.circle.egg.Egg;
import dev.verbena.requirements.fixture.soft.elsewhere.Homeless;
import dev.verbena.requirements.fixture.soft.memory.RegionWithFormat;
import dev.verbena.requirements.fixture.soft.queue.Meddler;
import dev.verbena.requirements.fixture.soft.queue.Ring;
import dev.verbena.requirements.fixture.soft.transport.Climber;
import dev.verbena.requirements.fixture.soft.transport.Connects;
import dev.verbena.requirements.fixture.soft.transport.Injected;
import dev.verbena.requirements.fixture.soft.transport.Locks;
import dev.verbena.requirements.fixture.soft.transport.ReadsClock;
import dev.verbena.requirements.fixture.soft.transport.ReadsInstant;
import dev.verbena.requirements.fixture.soft.transport.ReadsMillis;
import dev.verbena.requirements.fixture.soft.transport.ReadsNanoTime;
import dev.verbena.requirements.fixture.soft.transport.RollsGenerator;
import dev.verbena.requirements.fixture.soft.transport.RollsMath;
import dev.verbena.requirements.fixture.soft.transport.RollsRandom;
import dev.verbena.requirements.fixture.soft.transport.RollsSecureRandom;
import dev.verbena.requirements.fixture.soft.transport.RollsSplittableRandom;
import dev.verbena.requirements.fixture.soft.transport.RollsThreadLocalRandom;
import dev.verbena.requirements.fixture.soft.transport.RollsUuid;
import dev.verbena.requirements.fixture.soft.transport.Selects;
import dev.verbena.requirements.fixture.soft.transport.Spins;
import dev.verbena.requirements.fixture.tck.Insider;
import dev.verbena.requirements.fixture.verbs.Logger;
import dev.verbena.requirements.fixture.verbs.Printer;
import dev.verbena.requirements.fixture.verbs.Verb;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The house rules hold for all modules, and each rule finds a class that breaks it. */
class ArchitectureTest {

  private static final String BASE = "dev.verbena";
  private static final String FIXTURE = "dev.verbena.requirements.fixture";

  @Test
  void partsKeepToTheAllowedEdges() {
    // The conformance suite's own tests included: they run against a provider, but do not know it.
    new Edges(BASE).rule().check(judged("tck"));
  }

  @Test
  void theAllowedEdgesHaveNoCircle() {
    assertThat(Edges.circles()).isEmpty();
  }

  @Test
  void noTwoPackagesUseEachOther() {
    HouseRules.noCircles(BASE).check(judged());
  }

  @Test
  void findsTwoPackagesThatUseEachOther() {
    assertThat(breaches(HouseRules.noCircles(FIXTURE), Chicken.class, Egg.class))
        .contains("Slice circle.chicken", "Slice circle.egg");
    assertThat(breaches(HouseRules.noCircles(FIXTURE), Chicken.class)).isEmpty();
  }

  @Test
  void findsAnEdgeThatIsNotAllowed() {
    ArchRule rule = new Edges(FIXTURE).rule();
    assertThat(breaches(rule, Climber.class)).contains("soft.transport must not use soft.engine");
    assertThat(breaches(rule, RegionWithFormat.class)).contains("soft.memory must not use wire");
    assertThat(breaches(rule, Insider.class)).contains("tck must not use soft.engine");
    assertThat(breaches(rule, Homeless.class)).contains("is in no known part");
    assertThat(breaches(rule, Ring.class)).isEmpty();
  }

  @Test
  void protocolMachinesDoNoInputOrOutput() {
    HouseRules.sansIo(BASE).allowEmptyShould(true).check(judged());
  }

  @ParameterizedTest
  @ValueSource(
      classes = {
        Connects.class,
        Locks.class,
        ReadsClock.class,
        ReadsInstant.class,
        ReadsMillis.class,
        ReadsNanoTime.class,
        RollsGenerator.class,
        RollsMath.class,
        RollsRandom.class,
        RollsSecureRandom.class,
        RollsSplittableRandom.class,
        RollsThreadLocalRandom.class,
        RollsUuid.class,
        Selects.class,
        Spins.class
      })
  void findsAProtocolMachineThatDoesInputOrOutput(Class<?> bad) {
    assertThat(breaches(HouseRules.sansIo(FIXTURE), bad)).contains(bad.getSimpleName());
  }

  @Test
  void timeAndDiceMayBeHandedIn() {
    assertThat(breaches(HouseRules.sansIo(FIXTURE), Injected.class)).isEmpty();
  }

  @Test
  void theLibraryUsesTheJdkOnly() {
    HouseRules.jdkOnly(BASE).check(judged());
  }

  @Test
  void findsALibraryClassWithADependency() {
    assertThat(breaches(HouseRules.jdkOnly(FIXTURE), Logger.class)).contains("org.assertj");
    assertThat(breaches(HouseRules.jdkOnly(FIXTURE), Verb.class)).isEmpty();
  }

  @Test
  void theLibraryPrintsNothing() {
    HouseRules.noStandardOutput(BASE).check(judged());
  }

  @Test
  void findsALibraryClassThatPrints() {
    assertThat(breaches(HouseRules.noStandardOutput(FIXTURE), Printer.class)).contains("Printer");
    assertThat(breaches(HouseRules.noStandardOutput(FIXTURE), Verb.class)).isEmpty();
  }

  @Test
  void fieldsAreSetByTheirOwnClass() {
    HouseRules.ownFieldsOnly(BASE).check(judged());
  }

  @Test
  void findsAClassThatSetsFieldsOfAnother() {
    assertThat(breaches(HouseRules.ownFieldsOnly(FIXTURE), Meddler.class, Ring.class))
        .contains("Meddler.grow");
    assertThat(breaches(HouseRules.ownFieldsOnly(FIXTURE), Ring.class)).isEmpty();
  }

  /** The classes that the rules judge, with the tests of some modules. */
  private static JavaClasses judged(String... modulesWithTests) {
    List<Path> folders = new ArrayList<>();
    for (String module :
        List.of(
            "proofs",
            "verbs",
            "wire",
            "soft",
            "mad",
            "junit",
            "tck",
            "rdmacore",
            "dropin",
            "tools",
            "examples",
            "bench",
            "interop")) {
      folders.add(Repository.classes(module, "classes"));
    }
    for (String module : modulesWithTests) {
      folders.add(Repository.classes(module, "test-classes"));
    }
    return new ClassFileImporter().importPaths(folders);
  }

  private static String breaches(ArchRule rule, Class<?>... fixtures) {
    List<String> details =
        rule.evaluate(new ClassFileImporter().importClasses(fixtures))
            .getFailureReport()
            .getDetails();
    return String.join("\n", details);
  }
}
