package dev.verbena.soft.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.verbs.Access;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Scatter/gather lists and the copies between them. */
class SpanListTest {
  private final KeyTable keys = new KeyTable(new Random(1)::nextInt);
  private final Domain domain = new Domain();

  private static SpanList spans(MemorySegment memory, long... offsetsAndLengths) {
    SpanList list = new SpanList();
    for (int i = 0; i < offsetsAndLengths.length; i += 2) {
      list.add(memory, offsetsAndLengths[i], offsetsAndLengths[i + 1]);
    }
    return list;
  }

  private Region register(byte[] bytes, long base) {
    Region region = keys.register(MemorySegment.ofArray(bytes), base, Access.LOCAL_WRITE, domain);
    assertThat(region).isNotNull();
    return region;
  }

  private static byte[] counting(int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) (i + 1);
    }
    return bytes;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void piecesAreCopiedAcrossTheirBorders(boolean ends) {
    byte[] to = new byte[20];
    SpanList source = spans(MemorySegment.ofArray(counting(12)), 0, 3, 3, 0, 3, 5, 8, 4);
    SpanList target = spans(MemorySegment.ofArray(to), 10, 1, 0, 0, 11, 6, 0, 9);
    assertThat(source.copyTo(target, ends)).isEqualTo(AccessFault.NONE);
    assertThat(Arrays.copyOfRange(to, 10, 17)).containsExactly(1, 2, 3, 4, 5, 6, 7);
    assertThat(Arrays.copyOf(to, 6)).containsExactly(8, 9, 10, 11, 12, 0);
  }

  /** Lengths and places at which the end is an aligned long, and others. */
  @ParameterizedTest
  @ValueSource(ints = {1, 3, 7, 8, 9, 12, 15, 16, 17})
  void piecesAreCopiedToOnePlace(int length) {
    for (int to = 0; to < Long.BYTES; to++) {
      for (int first = 0; first <= length; first++) {
        byte[] target = new byte[40];
        SpanList source =
            spans(MemorySegment.ofArray(counting(length)), 0, first, first, length - first);
        MemorySegment memory = MemorySegment.ofArray(target);
        assertThat(source.copyTo(memory, to, to % 2 == 0)).isEqualTo(AccessFault.NONE);
        byte[] expected = new byte[40];
        System.arraycopy(counting(length), 0, expected, to, length);
        assertThat(target).isEqualTo(expected);
      }
    }
  }

  @Test
  void aPlaceThatIsGoneIsAFault() {
    Arena arena = Arena.ofShared();
    MemorySegment target = arena.allocate(16);
    arena.close();
    SpanList source = spans(MemorySegment.ofArray(counting(16)), 0, 16);
    assertThat(source.copyTo(target, 0, true)).isEqualTo(AccessFault.MEMORY_GONE);
  }

  @ParameterizedTest
  @ValueSource(ints = {-7, -1, 0, 1, 7})
  void aMessageMayBeCopiedOntoItself(int shift) {
    byte[] bytes = counting(40);
    byte[] expected = bytes.clone();
    System.arraycopy(bytes, 10, expected, 10 + shift, 20);
    MemorySegment memory = MemorySegment.ofArray(bytes);
    spans(memory, 10, 20).copyTo(spans(memory, 10 + shift, 20), true);
    assertThat(bytes).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aMessageOfOneByteOrNoneIsCopied(boolean ends) {
    byte[] to = new byte[2];
    MemorySegment from = MemorySegment.ofArray(counting(2));
    spans(from, 0, 0).copyTo(spans(MemorySegment.ofArray(to)), ends);
    assertThat(to).containsOnly(0);
    spans(from, 0, 1).copyTo(spans(MemorySegment.ofArray(to), 1, 1), ends);
    assertThat(to).containsExactly(0, 1);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void closedMemoryOnEitherSideIsReported(boolean ends) {
    MemorySegment closed;
    try (Arena arena = Arena.ofShared()) {
      closed = arena.allocate(8);
    }
    SpanList gone = spans(closed, 0, 8);
    SpanList there = spans(MemorySegment.ofArray(new byte[8]), 0, 8);
    assertThat(gone.copyTo(there, ends)).isEqualTo(AccessFault.MEMORY_GONE);
    assertThat(there.copyTo(gone, ends)).isEqualTo(AccessFault.MEMORY_GONE);
  }

  @Test
  void aListOfElementsIsResolvedFromAnyOffset() {
    byte[] first = counting(10);
    byte[] second = counting(100);
    Region one = register(first, 1000);
    Region two = register(second, -50);
    ScatterGather list = new ScatterGather(4, null);
    list.add(one.lkey(), 1002, 5);
    list.add(99, 1, 0);
    list.add(two.lkey(), -40, 30);
    list.add(one.lkey(), 1000, 3);
    assertThat(list.total).isEqualTo(38);
    byte[] whole = new byte[38];
    System.arraycopy(first, 2, whole, 0, 5);
    System.arraycopy(second, 10, whole, 5, 30);
    System.arraycopy(first, 0, whole, 35, 3);
    for (int offset = 0; offset <= 38; offset++) {
      for (int length = 0; length <= 38 - offset; length++) {
        SpanList spans = new SpanList();
        assertThat(list.resolve(keys, domain, Access.LOCAL_WRITE, offset, length, spans))
            .isEqualTo(AccessFault.NONE);
        byte[] got = new byte[length];
        spans.copyTo(spans(MemorySegment.ofArray(got), 0, length), true);
        assertThat(got).isEqualTo(Arrays.copyOfRange(whole, offset, offset + length));
      }
    }
  }

  @Test
  void onlyElementsThatAreUsedAreChecked() {
    Region one = register(new byte[10], 0);
    ScatterGather list = new ScatterGather(2, null);
    list.add(one.lkey(), 0, 10);
    list.add(one.lkey() ^ 0x100, 0, 10);
    assertThat(list.count()).isEqualTo(2);
    SpanList spans = new SpanList();
    assertThat(list.resolve(keys, domain, 0, 0, 10, spans)).isEqualTo(AccessFault.NONE);
    assertThat(spans.count()).isEqualTo(1);
    assertThat(list.resolve(keys, domain, 0, 0, 11, spans)).isEqualTo(AccessFault.UNKNOWN_KEY);
    assertThat(list.resolve(keys, domain, Access.REMOTE_READ, 0, 1, spans))
        .isEqualTo(AccessFault.MISSING_RIGHT);
    assertThat(list.resolve(keys, new Domain(), 0, 0, 1, spans))
        .isEqualTo(AccessFault.FOREIGN_DOMAIN);
  }

  @Test
  void elementsOfTheRequestBeforeInTheSameSlotAreForgotten() {
    Region one = register(new byte[10], 0);
    ScatterGather list = new ScatterGather(2, null);
    list.add(one.lkey(), 0, 10);
    list.add(one.lkey(), 0, 10);
    list.clear();
    list.add(one.lkey(), 0, 10);
    SpanList spans = new SpanList();
    assertThat(list.resolve(keys, domain, 0, 0, 20, spans)).isEqualTo(AccessFault.NONE);
    assertThat(spans.total).isEqualTo(10);
  }

  @Test
  void inlineDataIsAppendedAndClearedWithTheRequest() {
    ScatterGather list = new ScatterGather(1, MemorySegment.ofArray(new byte[16]));
    MemorySegment data = MemorySegment.ofArray(counting(8));
    list.addInline(data, 0, 3);
    list.addInline(data, 5, 3);
    assertThat(list.count()).isZero();
    SpanList spans = new SpanList();
    assertThat(list.resolve(keys, domain, 0, 6, 0, spans)).isEqualTo(AccessFault.NONE);
    assertThat(spans.count()).isZero();
    assertThat(list.resolve(keys, domain, 0, 1, 4, spans)).isEqualTo(AccessFault.NONE);
    byte[] got = new byte[4];
    spans.copyTo(spans(MemorySegment.ofArray(got), 0, 4), true);
    assertThat(got).containsExactly(2, 3, 6, 7);
    list.clear();
    assertThat(list.total).isZero();
    list.add(0x100, 0, 1);
    assertThat(list.resolve(keys, domain, 0, 0, 1, spans)).isEqualTo(AccessFault.UNKNOWN_KEY);
  }

  @Test
  void aLongIsInlineDataAsThisHostStoresIt() {
    byte[] buffer = new byte[16];
    ScatterGather list = new ScatterGather(1, MemorySegment.ofArray(buffer));
    list.addInline(MemorySegment.ofArray(counting(3)), 0, 3);
    list.addInline(0x1122334455667788L);
    assertThat(list.total).isEqualTo(11);
    assertThat(MemorySegment.ofArray(buffer).get(ValueLayout.JAVA_LONG_UNALIGNED, 3))
        .isEqualTo(0x1122334455667788L);
    assertThat(Arrays.copyOf(buffer, 3)).containsExactly(1, 2, 3);
    ScatterGather without = new ScatterGather(1, null);
    assertThatThrownBy(() -> without.addInline(1)).isInstanceOf(IllegalStateException.class);
    without.markInline();
    SpanList spans = new SpanList();
    assertThat(without.resolve(keys, domain, 0, 0, 0, spans)).isEqualTo(AccessFault.NONE);
    assertThat(spans.count()).isZero();
  }

  @Test
  void aSpanListGrowsAndForgets() {
    SpanList list = new SpanList();
    MemorySegment memory = MemorySegment.ofArray(counting(100));
    for (int i = 0; i < 100; i++) {
      list.add(memory, i, 1);
    }
    byte[] got = new byte[100];
    list.copyTo(spans(MemorySegment.ofArray(got), 0, 100), false);
    assertThat(got).isEqualTo(memory.toArray(ValueLayout.JAVA_BYTE));
    assertThat(list.count()).isEqualTo(100);
    list.clear();
    assertThat(list.total).isZero();
    assertThat(list.count()).isZero();
    assertThatThrownBy(() -> list.segment(0)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> list.segment(99)).isInstanceOf(IndexOutOfBoundsException.class);
  }
}
