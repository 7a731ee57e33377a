package dev.verbena.tools.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.OptionalLong;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

final class ResultTableTest {
  @Test
  void latencyAndBandwidthStandInOneTable() {
    Histogram latency = new Histogram(3);
    for (int i = 1; i <= 100; i++) {
      latency.recordValue(i * 1000L);
    }
    StringWriter text = new StringWriter();
    new ResultTable(new PrintWriter(text))
        .print(
            List.of(
                new Measurement(Operation.SEND, 8, 100, latency, 0, OptionalLong.of(2)),
                new Measurement(
                    Operation.RDMA_READ,
                    1 << 20,
                    128,
                    new Histogram(3),
                    987_654_321,
                    OptionalLong.empty())));

    assertThat(text.toString().lines().map(line -> line.strip().replaceAll(" {2,}", "|")))
        .containsExactly(
            "operation|size|messages|p50|p99|bandwidth|resent",
            "---------|----|--------|---|---|---------|------",
            "SEND|8 B|100|50.0 us|99.0 us|-|2",
            "RDMA_READ|1 MiB|128|-|-|987.7 MB/s|-");
    assertThat(text.toString().lines().map(String::length).distinct()).hasSize(1);
  }
}
