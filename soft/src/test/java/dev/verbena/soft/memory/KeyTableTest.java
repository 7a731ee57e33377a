package dev.verbena.soft.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyTableTest {
  private final Domain domain = new Domain();
  private final MemorySegment memory = MemorySegment.ofArray(new byte[8]);

  private Region register(KeyTable table) {
    Region region = table.register(memory, 0, 0, domain);
    assertThat(region).isNotNull();
    return region;
  }

  @Test
  void asManyAsFitHaveKeysThatAreUniqueAndNotZero() {
    KeyTable table = new KeyTable(new Random(1)::nextInt);
    List<Region> regions = new ArrayList<>();
    Set<Integer> keys = new HashSet<>();
    for (int i = 0; i < KeyTable.CAPACITY; i++) {
      Region region = register(table);
      regions.add(region);
      keys.add(region.lkey());
      keys.add(region.rkey());
    }
    assertThat(table.register(memory, 0, 0, domain)).isNull();
    assertThat(keys).hasSize(2 * KeyTable.CAPACITY).doesNotContain(0);
    assertThat(regions)
        .allMatch(region -> region.equals(table.byLocalKey(region.lkey())))
        .allMatch(region -> region.equals(table.byRemoteKey(region.rkey())));
  }

  @Test
  void everythingIsFoundWhileTheTableGrows() {
    KeyTable table = new KeyTable(new Random(7)::nextInt);
    Windows windows = new Windows(table);
    Window window = windows.allocate(true, domain, this);
    NullRegion nothing = table.registerNull(domain);
    Region gone = register(table);
    assertThat(window).isNotNull();
    assertThat(nothing).isNotNull();
    table.remove(gone);
    Deque<Region> regions = new ArrayDeque<>();
    for (int i = 0; i < 3000; i++) {
      regions.add(register(table));
      if (i % 3 == 0) {
        table.remove(regions.remove());
      }
      assertThat(regions)
          .allMatch(region -> region.equals(table.byLocalKey(region.lkey())))
          .allMatch(region -> region.equals(table.byRemoteKey(region.rkey())));
    }
    assertThat(table.window(window.firstKey())).isSameAs(window);
    assertThat(table.resolveLocal(nothing.lkey(), domain, 0, 0, 8, new SpanList()))
        .isEqualTo(AccessFault.NONE);
    assertThat(table.byLocalKey(gone.lkey())).isNull();
    assertThat(table.byRemoteKey(gone.rkey())).isNull();
  }

  @Test
  void equalDrawsGetPlacesOfTheirOwnInATableOfAnySize() {
    KeyTable table = new KeyTable(() -> -1);
    List<Region> regions = Stream.generate(() -> register(table)).limit(300).toList();
    assertThat(regions).allMatch(region -> region.equals(table.byLocalKey(region.lkey())));
    regions.forEach(table::remove);
    assertThat(regions).allMatch(region -> table.byLocalKey(region.lkey()) == null);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 0x0100_0100, 0x0000_0100, 0x0100_0000, 0x0001_0000, -1})
  void keysAreNotZeroAndDifferWhateverIsDrawn(int drawn) {
    int[] draws = {0, drawn};
    int[] next = {0};
    Region region = register(new KeyTable(() -> draws[next[0]++]));
    assertThat(region.lkey()).isNotZero();
    assertThat(region.rkey()).isNotZero().isNotEqualTo(region.lkey());
  }

  @Test
  void aLocalKeyIsNoRemoteKey() {
    KeyTable table = new KeyTable(new Random(2)::nextInt);
    Region region = register(table);
    assertThat(table.byRemoteKey(region.lkey())).isNull();
    assertThat(table.byLocalKey(region.rkey())).isNull();
  }

  @Test
  void aRemovedKeyFindsNothingEvenIfItsSlotIsTakenAgain() {
    Random random = new Random(3);
    int[] draws = {42, random.nextInt(), 42, random.nextInt()};
    int[] next = {0};
    KeyTable table = new KeyTable(() -> draws[next[0]++]);
    Region old = register(table);
    table.remove(old);
    assertThat(table.byLocalKey(old.lkey())).isNull();
    assertThat(table.byRemoteKey(old.rkey())).isNull();
    Region successor = register(table);
    assertThat(successor.lkey() >>> 13).isEqualTo(old.lkey() >>> 13);
    assertThat(table.byLocalKey(old.lkey())).isNull();
    assertThat(table.byRemoteKey(old.rkey())).isNull();
    assertThat(table.byRemoteKey(successor.rkey())).isSameAs(successor);
  }

  @Test
  void theRoomOfARemovedRegionCanBeTaken() {
    KeyTable table = new KeyTable(new Random(4)::nextInt);
    Region last = register(table);
    for (int i = 1; i < KeyTable.CAPACITY; i++) {
      last = register(table);
    }
    for (int round = 0; round < 3; round++) {
      table.remove(last);
      last = register(table);
      assertThat(table.register(memory, 0, 0, domain)).isNull();
    }
  }

  @Test
  void theFirstSlotIsAsGoodAsAnyForWhateverIsKept() {
    assertThat(new KeyTable(() -> 0).register(memory, 0, 0, domain)).isNotNull();
    assertThat(new KeyTable(() -> 0).registerNull(domain)).isNotNull();
    assertThat(new Windows(new KeyTable(() -> 0)).allocate(true, domain, this)).isNotNull();
  }

  @Test
  void aReplacedRegionKeepsItsKeys() {
    KeyTable table = new KeyTable(new Random(5)::nextInt);
    Region old = register(table);
    Region next = new Region(old.lkey(), old.rkey(), domain, 7, 100, memory);
    table.replace(old, next);
    assertThat(table.byLocalKey(old.lkey())).isSameAs(next);
    assertThat(table.byRemoteKey(old.rkey())).isSameAs(next);
  }

  @Test
  void aKeyThatWasNeverGivenFindsNothing() {
    KeyTable table = new KeyTable(new Random(6)::nextInt);
    assertThat(table.byLocalKey(0)).isNull();
    assertThat(table.byRemoteKey(-1)).isNull();
  }
}
