package dev.verbena.soft.memory;

import static dev.verbena.verbs.Access.FLUSH_GLOBAL;
import static dev.verbena.verbs.Access.LOCAL_WRITE;
import static dev.verbena.verbs.Access.MW_BIND;
import static dev.verbena.verbs.Access.REMOTE_ATOMIC;
import static dev.verbena.verbs.Access.REMOTE_READ;
import static dev.verbena.verbs.Access.REMOTE_WRITE;
import static dev.verbena.verbs.Access.ZERO_BASED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WindowsTest {
  private static final long BASE = 0x10_000;
  private static final int SIZE = 1024;
  private static final int ALL = LOCAL_WRITE | REMOTE_WRITE | REMOTE_READ | REMOTE_ATOMIC;

  private final KeyTable keys = new KeyTable(new Random(1)::nextInt);
  private final Windows windows = new Windows(keys);
  private final Domain domain = new Domain();
  private final WindowOwner owner = new WindowOwner();
  private final WindowOwner other = new WindowOwner();
  private final Region region = region(LOCAL_WRITE | MW_BIND);
  private final Window type1 = window(false);
  private final Window type2 = window(true);

  private Region region(int access) {
    MemorySegment memory = MemorySegment.ofArray(new long[SIZE / 8]);
    Region made = keys.register(memory, BASE, access, domain);
    assertThat(made).isNotNull();
    return made;
  }

  private Window window(boolean isType2) {
    Window made = windows.allocate(isType2, domain, this);
    assertThat(made).isNotNull();
    return made;
  }

  private static Binding binding(Window window, int tag, int lkey, long offset, long length) {
    Binding binding = new Binding();
    binding.set(window, tag, lkey, BASE + offset, length, ALL);
    return binding;
  }

  private AccessFault bind(Window window, int tag) {
    return windows.bind(binding(window, tag, region.lkey(), 64, 128), domain, owner);
  }

  private AccessFault bind(Region target, int access) {
    Binding binding = new Binding();
    binding.set(type2, 1, target.lkey(), BASE, 8, access);
    return windows.bind(binding, domain, owner);
  }

  private Region found(int rkey) {
    Region part = keys.byRemoteKey(rkey);
    assertThat(part).isNotNull();
    return part;
  }

  @Test
  @Proves("S5.3.1")
  void aNewWindowHasAKeyThatGivesNothing() {
    assertThat(type1.firstKey()).isNotZero().isNotEqualTo(type2.firstKey());
    assertThat(keys.byRemoteKey(type1.firstKey())).isNull();
    assertThat(keys.byRemoteKey(type2.firstKey())).isNull();
  }

  @Test
  @Proves({"S5.3.4", "S2.15"})
  void theNewKeyHasTheTagOfTheRequestAndTheRestOfTheWindow() {
    assertThat(bind(type2, 0xabcdef12)).isEqualTo(AccessFault.NONE);
    int key = (type2.firstKey() & ~0xff) | 0x12;
    Region part = found(key);
    assertThat(part.base()).isEqualTo(BASE + 64);
    assertThat(part.length()).isEqualTo(128);
    assertThat(part.access()).isEqualTo(ALL);
    assertThat(keys.byRemoteKey(key ^ 1)).isNull();
    assertThat(keys.byLocalKey(key)).isNull();
    assertThat(keys.byLocalKey(0)).isNull();
    part.memory().fill((byte) 1);
    assertThat(region.memory().asSlice(64, 128).mismatch(part.memory())).isEqualTo(-1);
  }

  @Test
  @Proves("S5.3.8")
  void onlyTheQueuePairThatBoundAType2WindowMayUseIt() {
    bind(type2, 1);
    Region part = found(type2.key(1));
    assertThat(part.checkRemote(domain, owner, REMOTE_READ, BASE + 64, 128))
        .isEqualTo(AccessFault.NONE);
    assertThat(part.checkRemote(domain, other, REMOTE_READ, BASE + 64, 128))
        .isEqualTo(AccessFault.FOREIGN_QUEUE_PAIR);
    assertThat(part.checkRemote(new Domain(), other, REMOTE_READ, BASE + 64, 128))
        .isEqualTo(AccessFault.FOREIGN_DOMAIN);
    bind(type1, 1);
    assertThat(found(type1.key(1)).checkRemote(domain, other, REMOTE_READ, BASE + 64, 128))
        .isEqualTo(AccessFault.NONE);
  }

  @Test
  @Proves("S5.3.8")
  void oneBoundThroughAnXrcInitiatorIsForTheFirstTargetThatMayUseIt() {
    WindowOwner initiator = WindowOwner.initiator();
    WindowOwner first = WindowOwner.target();
    WindowOwner second = WindowOwner.target();
    Binding binding = new Binding();
    binding.set(type2, 1, region.lkey(), BASE, 128, REMOTE_READ);
    assertThat(windows.bind(binding, domain, initiator)).isEqualTo(AccessFault.NONE);
    Region part = found(type2.key(1));
    assertThat(part.checkRemote(domain, second, REMOTE_READ, BASE, 129))
        .as("not allowed, and so no use")
        .isEqualTo(AccessFault.OUT_OF_BOUNDS);
    assertThat(part.checkRemote(domain, other, REMOTE_READ, BASE, 128))
        .as("no target of XRC")
        .isEqualTo(AccessFault.FOREIGN_QUEUE_PAIR);
    assertThat(part.checkRemote(domain, first, REMOTE_READ, BASE, 128)).isEqualTo(AccessFault.NONE);
    assertThat(part.checkRemote(domain, second, REMOTE_READ, BASE, 128))
        .isEqualTo(AccessFault.FOREIGN_QUEUE_PAIR);
    int key = type2.key(1);
    assertThat(windows.invalidate(key, domain, second)).isEqualTo(AccessFault.FOREIGN_QUEUE_PAIR);
    assertThat(windows.invalidate(key, domain, WindowOwner.initiator()))
        .isEqualTo(AccessFault.FOREIGN_QUEUE_PAIR);
    assertThat(windows.invalidate(key, domain, first)).isEqualTo(AccessFault.NONE);
    assertThat(windows.bind(binding, domain, initiator)).isEqualTo(AccessFault.NONE);
    assertThat(windows.invalidate(key, domain, initiator)).isEqualTo(AccessFault.NONE);
  }

  @Test
  @Proves("S5.3.5")
  void aType2WindowIsBoundOnlyIfItIsFree() {
    bind(type2, 1);
    assertThat(bind(type2, 2)).isEqualTo(AccessFault.WINDOW_STATE);
    assertThat(keys.byRemoteKey(type2.key(2))).isNull();
    assertThat(keys.byRemoteKey(type2.key(1))).isNotNull();
    windows.invalidate(type2.key(1), domain, owner);
    assertThat(bind(type2, 2)).isEqualTo(AccessFault.NONE);
    windows.free(type2);
    assertThat(keys.byRemoteKey(type2.key(2))).isNull();
    assertThat(bind(type2, 3)).isEqualTo(AccessFault.WINDOW_STATE);
  }

  @Test
  @Proves({"S5.3.5", "S5.3.6"})
  void whatCannotBeBoundIsNot() {
    Binding binding = binding(type2, 1, region.lkey(), 0, 8);
    assertThat(windows.bind(binding, new Domain(), owner)).isEqualTo(AccessFault.FOREIGN_DOMAIN);
    Region foreign = keys.register(MemorySegment.ofArray(new long[1]), BASE, MW_BIND, new Domain());
    assertThat(foreign).isNotNull();
    assertThat(bind(foreign, REMOTE_READ)).isEqualTo(AccessFault.FOREIGN_DOMAIN);
    assertThat(bind(region(LOCAL_WRITE), REMOTE_READ)).isEqualTo(AccessFault.MISSING_RIGHT);
    Region readable = region(MW_BIND);
    assertThat(bind(readable, REMOTE_WRITE)).isEqualTo(AccessFault.MISSING_RIGHT);
    assertThat(bind(readable, REMOTE_ATOMIC)).isEqualTo(AccessFault.MISSING_RIGHT);
    assertThat(bind(region(MW_BIND | ZERO_BASED), REMOTE_READ))
        .isEqualTo(AccessFault.ILLEGAL_BINDING);
    assertThat(bind(region, MW_BIND)).isEqualTo(AccessFault.ILLEGAL_BINDING);
    for (long[] range : new long[][] {{-1, 8}, {SIZE - 7, 8}, {0, SIZE + 1}, {8, -8}, {-8, 8}}) {
      Binding outside = binding(type2, 1, region.lkey(), range[0], range[1]);
      assertThat(windows.bind(outside, domain, owner)).isEqualTo(AccessFault.OUT_OF_BOUNDS);
    }
    Binding unknown = binding(type2, 1, region.lkey() ^ 0xff, 0, 8);
    assertThat(windows.bind(unknown, domain, owner)).isEqualTo(AccessFault.UNKNOWN_KEY);
    Binding empty = binding(type2, 1, region.lkey(), 0, 0);
    assertThat(windows.bind(empty, domain, owner)).isEqualTo(AccessFault.ILLEGAL_BINDING);
    assertThat(keys.byRemoteKey(type2.key(1))).isNull();
    assertThat(windows.boundTo(region)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @Proves("S5.3.5")
  void aWindowOfAnotherDomainIsNotBoundToARegionOfTheQueuePairsOwn(boolean isType2) {
    Window foreign = windows.allocate(isType2, new Domain(), this);
    assertThat(foreign).isNotNull();
    assertThat(bind(foreign, 1)).isEqualTo(AccessFault.FOREIGN_DOMAIN);
    assertThat(keys.byRemoteKey(foreign.key(1))).isNull();
    assertThat(windows.boundTo(region)).isEmpty();
  }

  @Test
  @Proves("S5.3.5")
  void theRegionNeedsNoRemoteRight() {
    assertThat(bind(region(MW_BIND), LOCAL_WRITE | REMOTE_READ | FLUSH_GLOBAL))
        .isEqualTo(AccessFault.NONE);
  }

  @Test
  @Proves("S5.3.7")
  void aZeroBasedWindowIsAddressedFromItsStart() {
    Binding binding = new Binding();
    binding.set(type2, 1, region.lkey(), BASE + 256, 64, REMOTE_READ | ZERO_BASED);
    assertThat(windows.bind(binding, domain, owner)).isEqualTo(AccessFault.NONE);
    Region part = found(type2.key(1));
    assertThat(part.check(domain, REMOTE_READ, 0, 64)).isEqualTo(AccessFault.NONE);
    assertThat(part.check(domain, REMOTE_READ, BASE + 256, 1)).isEqualTo(AccessFault.OUT_OF_BOUNDS);
    assertThat(part.check(domain, REMOTE_READ, 0, 65)).isEqualTo(AccessFault.OUT_OF_BOUNDS);
  }

  @Test
  @Proves("S5.3.3")
  void aType1WindowIsBoundAnewAtAnyTime() {
    bind(type1, 1);
    assertThat(bind(type1, 2)).isEqualTo(AccessFault.NONE);
    assertThat(keys.byRemoteKey(type1.key(1))).isNull();
    assertThat(keys.byRemoteKey(type1.key(2))).isNotNull();
    assertThat(windows.boundTo(region)).containsExactly(type1);
    Binding nothing = binding(type1, 3, region.lkey(), 0, 0);
    assertThat(windows.bind(nothing, domain, other)).isEqualTo(AccessFault.NONE);
    assertThat(keys.byRemoteKey(type1.key(2))).isNull();
    assertThat(keys.byRemoteKey(type1.key(3))).isNull();
    assertThat(windows.boundTo(region)).isEmpty();
  }

  @Test
  @Proves({"S5.3.3", "S5.1.6"})
  void aWindowThatIsBoundElsewhereNoLongerHoldsItsFirstRegion() {
    Region second = region(MW_BIND | LOCAL_WRITE);
    bind(type1, 1);
    Binding elsewhere = binding(type1, 2, second.lkey(), 0, 8);
    assertThat(windows.bind(elsewhere, domain, owner)).isEqualTo(AccessFault.NONE);
    assertThat(windows.boundTo(region)).isEmpty();
    assertThat(windows.boundTo(second)).containsExactly(type1);
  }

  @Test
  @Proves("S5.3.10")
  void aWindowThatEndsHoldsItsRegionNoLonger() {
    bind(type1, 1);
    bind(type2, 1);
    windows.free(type1);
    windows.free(type2);
    assertThat(windows.boundTo(region)).isEmpty();
    assertThat(owner.windows()).isEmpty();
    assertThat(keys.byRemoteKey(type1.key(1))).isNull();
    assertThat(bind(type1, 2)).isEqualTo(AccessFault.WINDOW_STATE);
    assertThat(type1.holder()).isSameAs(this);
  }

  @Test
  @Proves("S5.3.9")
  void invalidationNeedsTheFullKeyOfABoundType2WindowOfThisQueuePair() {
    int key = type2.key(7);
    assertThat(windows.invalidate(type2.firstKey(), domain, owner)).isNotEqualTo(AccessFault.NONE);
    bind(type2, 7);
    bind(type1, 7);
    assertThat(windows.invalidate(key ^ 1, domain, owner)).isEqualTo(AccessFault.UNKNOWN_KEY);
    assertThat(windows.invalidate(key ^ 0x100, domain, owner)).isEqualTo(AccessFault.UNKNOWN_KEY);
    assertThat(windows.invalidate(region.rkey(), domain, owner)).isEqualTo(AccessFault.UNKNOWN_KEY);
    assertThat(windows.invalidate(0, domain, owner)).isEqualTo(AccessFault.UNKNOWN_KEY);
    assertThat(windows.invalidate(key, new Domain(), owner)).isEqualTo(AccessFault.FOREIGN_DOMAIN);
    assertThat(windows.invalidate(key, domain, other)).isEqualTo(AccessFault.FOREIGN_QUEUE_PAIR);
    assertThat(windows.invalidate(type1.key(7), domain, owner)).isEqualTo(AccessFault.WINDOW_STATE);
    assertThat(keys.byRemoteKey(key)).isNotNull();
    assertThat(windows.invalidate(key, domain, owner)).isEqualTo(AccessFault.NONE);
    assertThat(keys.byRemoteKey(key)).isNull();
    assertThat(windows.invalidate(key, domain, owner)).isEqualTo(AccessFault.UNKNOWN_KEY);
  }

  @Test
  @Proves("S5.1.6")
  void aRegionWithAWindowIsNotReplaced() {
    Region next = new Region(region.lkey(), region.rkey(), domain, 0, 0, region.memory());
    bind(type2, 1);
    assertThat(windows.boundTo(region)).containsExactly(type2);
    assertThat(windows.replace(region, next)).isFalse();
    assertThat(keys.byLocalKey(region.lkey())).isSameAs(region);
    windows.invalidate(type2.key(1), domain, owner);
    assertThat(windows.replace(region, next)).isTrue();
    assertThat(keys.byLocalKey(region.lkey())).isSameAs(next);
  }

  @Test
  void aRegionThatIsRemovedTakesItsWindowsAlong() {
    bind(type2, 1);
    bind(type1, 1);
    windows.remove(region);
    assertThat(keys.byRemoteKey(type2.key(1))).isNull();
    assertThat(keys.byRemoteKey(type1.key(1))).isNull();
    assertThat(bind(type2, 2)).isEqualTo(AccessFault.UNKNOWN_KEY);
  }

  @Test
  @Proves("S5.3.12")
  void theWindowsOfAQueuePairThatEndsAreFree() {
    bind(type2, 1);
    bind(type1, 1);
    windows.unbindAll(other);
    assertThat(keys.byRemoteKey(type2.key(1))).isNotNull();
    windows.unbindAll(owner);
    assertThat(keys.byRemoteKey(type2.key(1))).isNull();
    assertThat(keys.byRemoteKey(type1.key(1))).isNotNull();
    assertThat(windows.boundTo(region)).containsExactly(type1);
    assertThat(bind(type2, 2)).isEqualTo(AccessFault.NONE);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 0xff, 0x100, 0xffff, -1})
  void noTagMakesAKeyZero(int drawn) {
    int[] draws = {0, drawn};
    int[] next = {0};
    Window window = new Windows(new KeyTable(() -> draws[next[0]++])).allocate(true, domain, this);
    assertThat(window).isNotNull();
    assertThat(window.key(0)).isNotZero();
  }

  @Test
  void windowsAndRegionsShareTheTable() {
    KeyTable table = new KeyTable(new Random(2)::nextInt);
    Windows some = new Windows(table);
    Window first = some.allocate(true, domain, this);
    assertThat(first).isNotNull();
    for (int i = 1; i < KeyTable.CAPACITY; i++) {
      assertThat(table.register(region.memory(), 0, 0, domain)).isNotNull();
    }
    assertThat(some.allocate(false, domain, this)).isNull();
    assertThat(table.registerNull(domain)).isNull();
    some.free(first);
    assertThat(table.registerNull(domain)).isNotNull();
  }

  @Test
  @Proves("S5.1.4")
  void aNullRegionReadsAsZerosAndSwallowsWrites() {
    NullRegion nothing = keys.registerNull(domain);
    assertThat(nothing).isNotNull();
    MemorySegment data = MemorySegment.ofArray(new byte[3 << 20]);
    data.fill((byte) 5);
    SpanList mine = new SpanList();
    mine.add(data, 0, data.byteSize());
    SpanList spans = new SpanList();
    assertThat(keys.resolveLocal(nothing.lkey(), domain, LOCAL_WRITE, -100, data.byteSize(), spans))
        .isEqualTo(AccessFault.NONE);
    assertThat(spans.count()).as("pieces of 1 MiB").isEqualTo(3);
    assertThat(mine.copyTo(spans, true)).isEqualTo(AccessFault.NONE);
    spans.clear();
    keys.resolveLocal(nothing.lkey(), domain, 0, 1L << 60, data.byteSize(), spans);
    assertThat(spans.total).isEqualTo(data.byteSize());
    assertThat(spans.copyTo(mine, true)).isEqualTo(AccessFault.NONE);
    assertThat(data.mismatch(MemorySegment.ofArray(new byte[3 << 20]))).isEqualTo(-1);
    assertThat(keys.resolveLocal(nothing.lkey(), new Domain(), 0, 0, 8, spans))
        .isEqualTo(AccessFault.FOREIGN_DOMAIN);
    assertThat(keys.byRemoteKey(nothing.lkey())).isNull();
    assertThat(keys.byRemoteKey(0)).isNull();
    assertThat(bind(new Region(nothing.lkey(), 0, domain, MW_BIND, 0, data), REMOTE_READ))
        .isEqualTo(AccessFault.UNKNOWN_KEY);
    keys.remove(nothing);
    assertThat(keys.resolveLocal(nothing.lkey(), domain, 0, 0, 8, spans))
        .isEqualTo(AccessFault.UNKNOWN_KEY);
  }
}
