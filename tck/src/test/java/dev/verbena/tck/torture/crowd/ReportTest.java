package dev.verbena.tck.torture.crowd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.tck.torture.Deeds;
import dev.verbena.tck.torture.Report;
import dev.verbena.verbs.WrOpcode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** {@link Report}: what a crowd has done, and whether that is good enough. */
final class ReportTest {
  private static final long SECOND = 1_000_000_000;

  /** Of all kinds, and so many altogether. */
  private static Deeds deeds(long operations) {
    List<String> words = new ArrayList<>();
    for (String service : List.of("RC", "XRC", "UC", "UD")) {
      for (WrOpcode kind : WrOpcode.values()) {
        words.add(service + "/" + kind + "=1");
      }
    }
    words.add("RC/SEND=" + (operations - words.size()));
    return Deeds.parse(words);
  }

  private static Report report(long operations, long lost, long longestGap) {
    return new Report(lost, 0, longestGap, 0, 0, List.of(), deeds(operations));
  }

  private static CrowdOptions options(String... arguments) {
    return CrowdOptions.parse(arguments);
  }

  @Test
  void reportsOfSeveralMembersAreAddedExceptTheLongestGap() {
    Report one = Report.parse("report [1,20,300,7,8] [4,0,0,0,3] RC/RDMA_WRITE=4 XRC/FLUSH=3");
    assertThat(one.progress()).containsExactly(4L, 0L, 0L, 0L, 3L);
    Report sum =
        Report.NONE
            .with(one)
            .with(Report.parse("report [5,10,200,1,2] [1,0,0,0,2] RC/RDMA_WRITE=2"));
    Deeds deeds = Deeds.parse(List.of("RC/RDMA_WRITE=6", "XRC/FLUSH=3"));
    assertThat(sum).isEqualTo(new Report(6, 30, 300, 8, 10, List.of(5L, 0L, 0L, 0L, 5L), deeds));
    assertThat(Report.parse("report [0,0,0,0,0] []")).isEqualTo(Report.NONE);
    assertThat(sum.deeds().all()).isEqualTo(9);
    assertThat(sum.deeds().kinds()).isEqualTo(Map.of(WrOpcode.RDMA_WRITE, 6L, WrOpcode.FLUSH, 3L));
  }

  @Test
  void operationsOfEveryKindMustHaveBeenDone() {
    Report few =
        new Report(
            0,
            0,
            0,
            0,
            0,
            List.of(),
            Deeds.parse(List.of("UD/SEND=5000000", "UD/SEND_WITH_IMM=1", "XRC/FLUSH=1")));
    assertThat(options("service=rc").breaches(few)).contains("no FLUSH of RC was done");
    assertThat(options("service=ud").breaches(few)).isEmpty();
  }

  @Test
  void halfOfTheUnreliableMessagesMustArrive() {
    assertThat(options().breaches(arrivals(500))).isEmpty();
    assertThat(options().breaches(arrivals(499)))
        .containsExactly("499 of 1000 unreliable messages arrived, not at least 500");
    assertThat(options("faults=drop:0.05").breaches(arrivals(499))).isEmpty();
  }

  private static Report arrivals(long arrived) {
    return new Report(0, 0, 0, arrived, 1000, List.of(), deeds(5_000_000));
  }

  @Test
  void noConnectionMayBeLostWhereATwentiethOfThePacketsIs() {
    for (CrowdOptions few : List.of(options(), options("faults=drop:0.05,reorder:0.4"))) {
      assertThat(few.breaches(report(5_000_000, 0, 0))).isEmpty();
      assertThat(few.breaches(report(5_000_000, 1, 0)))
          .containsExactly("only 0 connections may be lost");
    }
  }

  @Test
  void oneInAHundredThousandOperationsMayBeLostWhereAFifthOfThePacketsIs() {
    CrowdOptions many = options("faults=drop:0.15,corrupt:0.05");
    assertThat(many.breaches(report(200_000, 2, 0))).isEmpty();
    assertThat(many.breaches(report(299_999, 3, 0)))
        .containsExactly("only 2 connections may be lost");
  }

  @Test
  void noLaneMayStandStillForALongTime() {
    assertThat(options().breaches(report(5_000_000, 0, 18 * SECOND))).isEmpty();
    assertThat(options().breaches(report(5_000_000, 0, 19 * SECOND)))
        .containsExactly("only 18.6 s may pass without progress");
    CrowdOptions patient = options("timeout=17", "retries=3");
    assertThat(patient.breaches(report(5_000_000, 0, 18 * SECOND))).isEmpty();
    assertThat(patient.breaches(report(5_000_000, 0, 60 * SECOND))).hasSize(1);
  }
}
