package dev.verbena.tck.torture.crowd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.WrOpcode;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** {@link Report}: what a crowd has done, and whether that is good enough. */
final class ReportTest {
  private static final long SECOND = 1_000_000_000;

  private static final Map<WrOpcode, Long> ALL_KINDS =
      Stream.of(WrOpcode.values()).collect(Collectors.toMap(kind -> kind, kind -> 1L));

  private static Report report(long operations, long lost, long longestGap) {
    return new Report(lost, 0, longestGap, done(operations, 0), ALL_KINDS);
  }

  private static List<Long> done(long withFirst, long withLast) {
    return List.of(withFirst, 0L, 0L, 0L, 0L, 0L, 0L, withLast);
  }

  private static CrowdOptions options(String... arguments) {
    return CrowdOptions.parse(arguments);
  }

  @Test
  void reportsOfSeveralMembersAreAddedExceptTheLongestGap() {
    Report sum =
        Report.NONE
            .with(Report.parse("report 1 20 300 4 0 0 0 0 0 0 0 3 0 0 0 0 0 0 0 0 0 0 0 1 0"))
            .with(Report.parse("report 5 10 200 1 0 0 0 0 0 0 2 1 2 0 0 0 0 0 0 0 0 0 0 0 0"));
    Map<WrOpcode, Long> kinds =
        Map.of(WrOpcode.RDMA_WRITE, 4L, WrOpcode.RDMA_WRITE_WITH_IMM, 2L, WrOpcode.FLUSH, 1L);
    assertThat(sum).isEqualTo(new Report(6, 30, 300, done(5, 2), kinds));
    assertThat(sum.operations()).isEqualTo(7);
  }

  @Test
  void operationsOfEveryKindMustHaveBeenDone() {
    Report withoutFlush =
        new Report(
            0, 0, 0, done(5_000_000, 0), Map.of(WrOpcode.SEND, 1L, WrOpcode.SEND_WITH_IMM, 1L));
    assertThat(withoutFlush.breaches(options("service=rc"))).contains("no FLUSH was done");
    assertThat(withoutFlush.breaches(options("service=ud"))).isEmpty();
  }

  @Test
  void noConnectionMayBeLostWhereATwentiethOfThePacketsIs() {
    for (CrowdOptions few : List.of(options(), options("faults=drop:0.05,reorder:0.4"))) {
      assertThat(report(5_000_000, 0, 0).breaches(few)).isEmpty();
      assertThat(report(5_000_000, 1, 0).breaches(few))
          .containsExactly("only 0 connections may be lost");
    }
  }

  @Test
  void oneInAHundredThousandOperationsMayBeLostWhereAFifthOfThePacketsIs() {
    CrowdOptions many = options("faults=drop:0.15,corrupt:0.05");
    assertThat(report(200_000, 2, 0).breaches(many)).isEmpty();
    assertThat(report(299_999, 3, 0).breaches(many))
        .containsExactly("only 2 connections may be lost");
  }

  @Test
  void noLaneMayStandStillForALongTime() {
    assertThat(report(5_000_000, 0, 18 * SECOND).breaches(options())).isEmpty();
    assertThat(report(5_000_000, 0, 19 * SECOND).breaches(options()))
        .containsExactly("only 18.6 s may pass without progress");
    CrowdOptions patient = options("timeout=17", "retries=3");
    assertThat(report(5_000_000, 0, 18 * SECOND).breaches(patient)).isEmpty();
    assertThat(report(5_000_000, 0, 60 * SECOND).breaches(patient)).hasSize(1);
  }
}
