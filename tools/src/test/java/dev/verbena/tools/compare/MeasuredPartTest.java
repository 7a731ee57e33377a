package dev.verbena.tools.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class MeasuredPartTest {
  @Test
  void theEndThatDoesNotMeasureCountsTheOperationsOfTheOther() {
    assertThat(garbage(new ByteArrayInputStream(announced()))).isEqualTo(2.5);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 8, 15})
  void withoutBothMomentsNothingIsKnown(int bytes) {
    byte[] begun = Arrays.copyOf(announced(), bytes);

    assertThat(garbage(new ByteArrayInputStream(begun))).isNaN();
  }

  @Test
  void itListensUntilTheOtherHasEnded() {
    ByteArrayInputStream peer = new ByteArrayInputStream(Arrays.copyOf(announced(), 20));
    new MeasuredPart(() -> 0).listen(peer);

    assertThat(peer.available()).isZero();
  }

  @Test
  void aPaceTellsWhenTheMeasuredPartBeginsAndWhatItHad() {
    List<Long> told = new ArrayList<>();
    Pace pace = new Pace(0, 0, told::add);
    pace.did(2);
    assertThat(told).as("after the warm-up").containsExactly(0L);

    pace.did(3);
    pace.did(4);
    assertThat(told).as("meanwhile").containsExactly(0L);

    pace.figure(1);
    assertThat(told).containsExactly(0L, 7L);
  }

  @Test
  void aPaceTellsNothingOfTheWarmUp() {
    List<Long> told = new ArrayList<>();
    new Pace(0, 3600, told::add).did(2);

    assertThat(told).isEmpty();
  }

  @Test
  void aConnectionThatBreaksOffIsTheEnd() throws IOException {
    InputStream broken = InputStream.nullInputStream();
    broken.close();
    InputStream later = new SequenceInputStream(new ByteArrayInputStream(announced()), broken);

    assertThat(garbage(broken)).isNaN();
    assertThat(garbage(later)).as("once it has measured").isEqualTo(2.5);
  }

  /** Four hundred operations. */
  private static byte[] announced() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    LongConsumer told = MeasuredPart.announceTo(bytes);
    told.accept(0);
    told.accept(400);
    return bytes.toByteArray();
  }

  /** Of an end that has allocated 7,000 bytes when it has loaded classes, and 1,000 more later. */
  private static double garbage(InputStream peer) {
    Iterator<Long> allocated = List.of(0L, 7_000L, 8_000L).iterator();
    MeasuredPart part = new MeasuredPart(allocated::next);
    part.listen(peer);
    return part.garbage();
  }
}
