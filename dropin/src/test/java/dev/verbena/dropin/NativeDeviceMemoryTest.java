package dev.verbena.dropin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.DeviceMemory;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.MrInitAttr;
import dev.verbena.verbs.MwBind;
import dev.verbena.verbs.MwBindInfo;
import dev.verbena.verbs.MwType;
import dev.verbena.verbs.ObjectClosedException;
import dev.verbena.verbs.ReregFlags;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.Sge;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkRequestException;
import dev.verbena.verbs.WrOpcode;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Memory that is not this process's, on the adapter of {@code adapter.c}. */
final class NativeDeviceMemoryTest extends NativeTest {
  private static final int RIGHTS =
      Access.LOCAL_WRITE | Access.REMOTE_WRITE | Access.REMOTE_READ | Access.MW_BIND;

  private static final int O_RDWR = 2;

  /** Of enum ibv_advise_mr_advice. */
  private static final int PREFETCH_WRITE = 1;

  @TempDir private Path folder;

  @Test
  void theCapabilitySaysHowMuchThereIs() {
    assertThat(context.queryDeviceEx().maxDmSize()).isEqualTo(8192);
    assertErrno(() -> context.allocDm(8193), Errno.EINVAL);
    assertErrno(() -> context.allocDm(0), Errno.EINVAL);
    assertErrno(() -> context.allocDm(8, -1), Errno.EINVAL);
    assertErrno(() -> context.allocDm(8, 13), Errno.EINVAL);
  }

  @Test
  void whatIsCopiedThereIsReadBack() {
    try (DeviceMemory dm = context.allocDm(64, 6)) {
      assertThat(dm.length()).isEqualTo(64);
      assertThat(dm.context()).isSameAs(context);
      byte[] text = "adapters".getBytes(StandardCharsets.UTF_8);
      dm.memcpyTo(0, MemorySegment.ofArray(new byte[64]));
      dm.memcpyTo(8, MemorySegment.ofArray(text));
      byte[] back = new byte[16];
      dm.memcpyFrom(MemorySegment.ofArray(back), 4);
      assertThat(new String(back, 4, 8, StandardCharsets.UTF_8)).isEqualTo("adapters");
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment all = arena.allocate(64);
        dm.memcpyFrom(all, 0);
        assertThat(all.getString(8)).isEqualTo("adapters");
      }
    }
  }

  @Test
  void aCopyOutsideIsRefusedBeforeTheCallAndAMisalignedOneByTheDriver() {
    try (DeviceMemory dm = context.allocDm(64)) {
      MemorySegment eight = MemorySegment.ofArray(new byte[8]);
      for (long offset : new long[] {57, 64, -1, Long.MAX_VALUE}) {
        assertThatThrownBy(() -> dm.memcpyTo(offset, eight))
            .hasMessageContaining("memcpyTo")
            .hasMessageContaining("are not inside device memory");
        assertErrno(() -> dm.memcpyFrom(eight, offset), Errno.EINVAL);
      }
      assertErrno(() -> dm.memcpyTo(0, MemorySegment.NULL), Errno.EINVAL);
      assertThatThrownBy(() -> dm.memcpyTo(2, eight))
          .hasMessageContaining("memcpy_to_dm refuses to copy 8 bytes at offset 2");
      assertErrno(() -> dm.memcpyFrom(MemorySegment.ofArray(new byte[3]), 0), Errno.EINVAL);
    }
  }

  @Test
  void aPeerWritesToARegionInIt() {
    try (Pair pair = new Pair();
        DeviceMemory dm = context.allocDm(128)) {
      MemoryRegion mr = pd.regDmMr(dm, 64, 32, RIGHTS | Access.ZERO_BASED);
      assertThat(mr.addr()).isZero();
      assertThat(mr.length()).isEqualTo(32);
      assertThat(mr.memory()).isEqualTo(MemorySegment.NULL);
      assertThat(mr.access()).isEqualTo(RIGHTS | Access.ZERO_BASED);
      pair.put("written");
      assertThat(write(pair, mr.rkey(), 8)).isEqualTo(WcStatus.SUCCESS);
      byte[] back = new byte[8];
      dm.memcpyFrom(MemorySegment.ofArray(back), 72);
      assertThat(new String(back, StandardCharsets.UTF_8)).isEqualTo("written\0");
      assertThatThrownBy(dm::free).hasMessageContaining("is in use by MR");
      assertErrno(dm::close, Errno.EBUSY);
      int key = mr.rkey();
      mr.dereg();
      assertThat(write(pair, key, 8)).isEqualTo(WcStatus.REM_ACCESS_ERR);
      dm.free();
      assertThatThrownBy(dm::length).isInstanceOf(ObjectClosedException.class);
      assertThatThrownBy(() -> dm.memcpyTo(0, MemorySegment.ofArray(new byte[4])))
          .isInstanceOf(ObjectClosedException.class);
    }
  }

  @Test
  void whatCannotBeRegisteredIsRefused() {
    try (DeviceMemory dm = context.allocDm(64);
        Context other = device().open()) {
      assertThatThrownBy(() -> pd.regDmMr(dm, 0, 64, RIGHTS)).hasMessageContaining("ZERO_BASED");
      for (long[] part : new long[][] {{0, 65}, {64, 1}, {-1, 4}, {0, 0}, {1, Long.MAX_VALUE}}) {
        assertErrno(() -> pd.regDmMr(dm, part[0], part[1], Access.ZERO_BASED), Errno.EINVAL);
      }
      assertErrno(
          () -> pd.regDmMr(dm, 0, 64, Access.ZERO_BASED, Access.REMOTE_WRITE), Errno.EINVAL);
      DeviceMemory foreign = other.allocDm(64);
      assertErrno(() -> pd.regDmMr(foreign, 0, 64, Access.ZERO_BASED), Errno.EINVAL);
      MemoryRegion mr = pd.regDmMr(dm, 0, 64, Access.ZERO_BASED);
      assertErrno(
          () -> mr.rereg(ReregFlags.CHANGE_ACCESS, null, null, Access.LOCAL_WRITE), Errno.EINVAL);
      mr.dereg();
      foreign.free();
      assertThatThrownBy(() -> other.allocPd().regDmMr(foreign, 0, 64, Access.ZERO_BASED))
          .isInstanceOf(ObjectClosedException.class);
    }
  }

  @Test
  void closingTheContextEndsTheRegionsFirst() {
    Context own = device().open();
    DeviceMemory dm = own.allocDm(64);
    MemoryRegion mr = own.allocPd().regDmMr(dm, 0, 64, Access.ZERO_BASED);
    own.close();
    assertThat(mr.isClosed()).isTrue();
    assertThat(dm.isClosed()).isTrue();
  }

  @Test
  void aDmabufIsReachedByItsIova() throws IOException {
    Path file = Files.write(folder.resolve("dmabuf"), new byte[8192]);
    int fd = open(file);
    try (Pair pair = new Pair()) {
      MemoryRegion mr = pd.regDmabufMr(4096, 64, 0x7000_0000L, fd, RIGHTS);
      MemoryRegion same =
          pd.regMrEx(new MrInitAttr().fd(fd, 4096, 64).iova(0x5000_0000L).access(RIGHTS));
      CLibraryNative.libc().call("close", fd);
      assertThat(mr.addr()).isEqualTo(0x7000_0000L);
      assertThat(mr.length()).isEqualTo(64);
      assertThat(mr.memory()).isEqualTo(MemorySegment.NULL);
      pair.put("written");
      assertThat(write(pair, mr.rkey(), mr.addr() + 8)).isEqualTo(WcStatus.SUCCESS);
      assertThat(new String(Files.readAllBytes(file), 4104, 7, StandardCharsets.UTF_8))
          .isEqualTo("written");
      // The other region of the same bytes, as the source.
      pair.left
          .qp()
          .postSend(
              request(pair, pair.right.mr().rkey(), pair.right.mr().addr())
                  .sgList(same.sgeAt(8, 8)));
      await(pair.left.cq()).orThrow();
      assertThat(text(pair.right.mr(), 0)).isEqualTo("written");
      // C would read inline data from an address that this process does not have.
      SendWr inline =
          request(pair, mr.rkey(), mr.addr())
              .sgList(same.sgeAt(8, 8))
              .sendFlags(SendFlags.SIGNALED | SendFlags.INLINE);
      assertThatThrownBy(() -> pair.left.qp().postSend(inline))
          .isInstanceOf(WorkRequestException.class);
      mr.dereg();
      same.dereg();
    }
  }

  @Test
  void aWindowIsBoundToADmabuf() throws IOException {
    int fd = open(Files.write(folder.resolve("window"), new byte[4096]));
    try (Pair pair = new Pair()) {
      MemoryRegion mr = pd.regDmabufMr(0, 4096, 0x1000, fd, RIGHTS);
      MemoryWindow mw = pd.allocMw(MwType.TYPE_1);
      MwBindInfo info = new MwBindInfo(mr, 0x1100, 64, Access.REMOTE_WRITE);
      pair.right.qp().bindMw(mw, new MwBind(1, SendFlags.SIGNALED, info));
      await(pair.right.cq()).orThrow();
      assertThat(write(pair, mw.rkey(), 0x1100)).isEqualTo(WcStatus.SUCCESS);
      assertErrno(mr::dereg, Errno.EBUSY);
      assertThat(mr.isClosed()).isFalse();
      mw.dealloc();
      mr.dereg();
    } finally {
      CLibraryNative.libc().call("close", fd);
    }
  }

  @Test
  void aDescriptorOrARangeThatIsNoneIsRefused() {
    assertErrno(() -> pd.regDmabufMr(0, 64, 0, -1, RIGHTS), Errno.EBADF);
    assertThatThrownBy(() -> pd.regDmabufMr(0, 64, 0, -1, RIGHTS))
        .hasMessageContaining("ibv_reg_dmabuf_mr refuses 64 bytes of the dma-buf of descriptor -1");
    assertErrno(() -> pd.regDmabufMr(0, 0, 0, 0, RIGHTS), Errno.EINVAL);
    assertErrno(() -> pd.regDmabufMr(-1, 8, 0, 0, RIGHTS), Errno.EINVAL);
    assertErrno(() -> pd.regDmabufMr(0, 8, -4, 0, RIGHTS), Errno.EINVAL);
    assertErrno(() -> pd.regDmabufMr(0, 8, 0, 0, Access.REMOTE_WRITE), Errno.EINVAL);
    assertThatThrownBy(() -> pd.regMrEx(new MrInitAttr().fd(0, 0, 8)))
        .hasMessageContaining("set an iova");
  }

  @Test
  void adviceReachesTheDriverWithItsElements() {
    MemoryRegion mr = pd.allocMr(64, Access.LOCAL_WRITE);
    int flush = 1;
    pd.adviseMr(PREFETCH_WRITE, flush, mr.sgeAt(8, 3), mr.sgeAt(32, 5));
    byte[] seen = mr.memory().toArray(ValueLayout.JAVA_BYTE);
    byte[] expected = new byte[64];
    expected[8] = 3;
    expected[32] = 5;
    assertThat(seen).isEqualTo(expected);
    pd.adviseMr(PREFETCH_WRITE, 0);
    assertErrno(() -> pd.adviseMr(7, 0, mr.sge()), Errno.EOPNOTSUPP);
    assertThatThrownBy(() -> pd.adviseMr(PREFETCH_WRITE, 0, new Sge(mr.addr(), 8, 0)))
        .hasMessageContaining("advise_mr refuses advice 1 about [sge[")
        .hasMessageContaining("ENOENT");
    Sge bare = Sge.of(mr.memory());
    assertThatThrownBy(() -> pd.adviseMr(PREFETCH_WRITE, 0, bare))
        .hasMessageContaining("is not registered");
  }

  private static int open(Path file) {
    try (Arena arena = Arena.ofConfined()) {
      int fd =
          (int)
              CLibraryNative.libc()
                  .call("open", arena.allocateFrom(file.toString()).address(), O_RDWR);
      assertThat(fd).as("descriptor of %s", file).isPositive();
      return fd;
    }
  }

  private static SendWr request(Pair pair, int rkey, long addr) {
    return new SendWr()
        .opcode(WrOpcode.RDMA_WRITE)
        .sendFlags(SendFlags.SIGNALED)
        .sgList(pair.left.mr().sge(8, 0))
        .remoteAddr(addr)
        .rkey(rkey);
  }

  /** Writes 8 bytes from the left to memory of the right. */
  private static WcStatus write(Pair pair, int rkey, long addr) {
    pair.left.qp().postSend(request(pair, rkey, addr));
    return await(pair.left.cq()).status();
  }
}
