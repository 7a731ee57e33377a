package dev.verbena.dropin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.AdviseMrAdvice;
import dev.verbena.verbs.AdviseMrFlags;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.DeviceAttrEx;
import dev.verbena.verbs.DeviceMemory;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.MrInitAttr;
import dev.verbena.verbs.ObjectClosedException;
import dev.verbena.verbs.OdpCaps;
import dev.verbena.verbs.OdpGeneralCaps;
import dev.verbena.verbs.OdpTransportCaps;
import dev.verbena.verbs.PacketPacingCaps;
import dev.verbena.verbs.PciAtomicCaps;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.ReregFlags;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.Sge;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkRequestException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.FutureTask;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Memory that is not this process's, or is there on demand, on the adapter of {@code adapter.c}.
 */
final class NativeDeviceMemoryTest extends NativeTest {
  private static final int RIGHTS = Access.LOCAL_WRITE | Access.REMOTE_WRITE | Access.REMOTE_READ;
  private static final int ON_DEMAND = Access.LOCAL_WRITE | Access.ON_DEMAND;

  private static final int MFD_ALLOW_SEALING = 2;
  private static final int O_RDWR = 2;

  /** A file that stands for a dma-buf, with the descriptor that its exporter would give. */
  private static final class Dmabuf implements AutoCloseable {
    final int fd;
    final FileChannel file;

    Dmabuf(int bytes) throws IOException {
      try (Arena arena = Arena.ofConfined()) {
        long name = arena.allocateFrom("dma-buf").address();
        fd = (int) CLibraryNative.libc().call("memfd_create", name, MFD_ALLOW_SEALING);
      }
      assertThat(fd).as("descriptor").isPositive();
      file =
          FileChannel.open(
              Path.of("/proc/self/fd/" + fd), StandardOpenOption.READ, StandardOpenOption.WRITE);
      file.write(ByteBuffer.allocate(bytes));
    }

    String text(long offset, int bytes) throws IOException {
      ByteBuffer text = ByteBuffer.allocate(bytes);
      file.read(text, offset);
      return new String(text.array(), StandardCharsets.UTF_8);
    }

    void closeDescriptor() {
      CLibraryNative.libc().call("close", fd);
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }

  @Test
  void theCapabilitySaysHowMuchThereIs() {
    assertThat(context.queryDeviceEx().maxDmSize()).isEqualTo(8192);
    assertErrno(() -> context.allocDm(8193), Errno.EINVAL);
    assertThatThrownBy(() -> context.allocDm(8193))
        .hasMessageContaining("8193 bytes, of max_dm_size=8192");
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
  void aDriverThatReturnsMinusOneHasLeftTheErrorNumber() {
    try (DeviceMemory dm = context.allocDm(128)) {
      MemorySegment odd = MemorySegment.ofArray(new byte[76]);
      assertErrno(() -> dm.memcpyTo(0, odd), Errno.ENODEV);
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
      assertThatThrownBy(() -> dm.memcpyTo(2, eight))
          .hasMessageContaining("memcpy_to_dm refuses to copy 8 bytes at offset 2");
      assertErrno(() -> dm.memcpyFrom(MemorySegment.ofArray(new byte[3]), 0), Errno.EINVAL);
    }
  }

  @Test
  void nothingIsCopiedIfThereIsNothingToCopy() {
    try (DeviceMemory dm = context.allocDm(64)) {
      dm.memcpyTo(0, MemorySegment.ofArray(new byte[64]));
      dm.memcpyTo(64, MemorySegment.NULL);
      dm.memcpyFrom(MemorySegment.NULL, 0);
      assertErrno(() -> dm.memcpyTo(68, MemorySegment.NULL), Errno.EINVAL);
      byte[] back = new byte[64];
      dm.memcpyFrom(MemorySegment.ofArray(back), 0);
      assertThat(back).containsOnly(0);
    }
  }

  @Test
  void aSegmentThatThisThreadCannotCopyIsRefused() throws Exception {
    Arena closed = Arena.ofShared();
    MemorySegment gone = closed.allocate(8);
    closed.close();
    try (DeviceMemory dm = context.allocDm(64);
        Arena own = Arena.ofConfined()) {
      dm.memcpyTo(0, MemorySegment.ofArray("not lost".getBytes(StandardCharsets.UTF_8)));
      assertRefused(() -> dm.memcpyTo(0, gone), "memory is gone");
      assertRefused(() -> dm.memcpyFrom(gone, 0), "memory is gone");
      MemorySegment constant = own.allocate(8).asReadOnly();
      assertRefused(() -> dm.memcpyFrom(constant, 0), "read-only");
      MemorySegment ours = own.allocate(8);
      FutureTask<Void> elsewhere =
          new FutureTask<>(
              () -> {
                assertRefused(() -> dm.memcpyTo(0, ours), "another thread's confined arena");
                assertRefused(() -> dm.memcpyFrom(ours, 0), "another thread's confined arena");
                return null;
              });
      Thread.ofPlatform().start(elsewhere);
      elsewhere.get();
      dm.memcpyFrom(ours, 0);
      byte[] kept = ours.toArray(ValueLayout.JAVA_BYTE);
      assertThat(new String(kept, StandardCharsets.UTF_8)).isEqualTo("not lost");
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
      assertThat(pair.write(mr.rkey(), 8)).isEqualTo(WcStatus.SUCCESS);
      byte[] back = new byte[8];
      dm.memcpyFrom(MemorySegment.ofArray(back), 72);
      assertThat(new String(back, StandardCharsets.UTF_8)).isEqualTo("written\0");
      assertThatThrownBy(dm::free).hasMessageContaining("is in use by MR");
      assertErrno(dm::close, Errno.EBUSY);
      int key = mr.rkey();
      mr.dereg();
      assertThat(pair.write(key, 8)).isEqualTo(WcStatus.REM_ACCESS_ERR);
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
    try (Pair pair = new Pair();
        Dmabuf buffer = new Dmabuf(8192)) {
      int fd = buffer.fd;
      MemoryRegion mr = pd.regDmabufMr(4096, 64, 0x7000_0000L, fd, RIGHTS);
      MemoryRegion same =
          pd.regMrEx(new MrInitAttr().fd(fd, 4096, 64).iova(0x5000_0000L).access(RIGHTS));
      buffer.closeDescriptor();
      assertThat(mr.addr()).isEqualTo(0x7000_0000L);
      assertThat(mr.length()).isEqualTo(64);
      assertThat(mr.memory()).isEqualTo(MemorySegment.NULL);
      pair.put("written");
      assertThat(pair.write(mr.rkey(), mr.addr() + 8)).isEqualTo(WcStatus.SUCCESS);
      assertThat(buffer.text(4104, 7)).isEqualTo("written");
      // The other region of the same bytes, as the source.
      pair.left
          .qp()
          .postSend(
              pair.request(pair.right.mr().rkey(), pair.right.mr().addr())
                  .sgList(same.sgeAt(8, 8)));
      await(pair.left.cq()).orThrow();
      assertThat(text(pair.right.mr(), 0)).isEqualTo("written");
      // C would read inline data from an address that this process does not have.
      SendWr inline =
          pair.request(mr.rkey(), mr.addr())
              .sgList(same.sgeAt(8, 8))
              .sendFlags(SendFlags.SIGNALED | SendFlags.INLINE);
      assertThatThrownBy(() -> pair.left.qp().postSend(inline))
          .isInstanceOf(WorkRequestException.class);
      mr.dereg();
      same.dereg();
    }
  }

  @Test
  void aDmabufMayBeginInTheMiddleOfAPageIfItsIovaDoes() throws IOException {
    try (Pair pair = new Pair();
        Dmabuf buffer = new Dmabuf(8192)) {
      assertRefused(
          () -> pd.regDmabufMr(64, 128, 0, buffer.fd, RIGHTS),
          "the offset 0x40 and the iova 0x0 are not at the same place in a page");
      MemoryRegion mr = pd.regDmabufMr(64, 128, 0x7000_0040L, buffer.fd, RIGHTS);
      pair.put("written");
      assertThat(pair.write(mr.rkey(), mr.addr())).isEqualTo(WcStatus.SUCCESS);
      assertThat(buffer.text(64, 7)).isEqualTo("written");
      mr.dereg();
      buffer.closeDescriptor();
    }
  }

  @Test
  void aDescriptorARangeOrARightThatIsNoneIsRefused(@TempDir Path folder) throws IOException {
    assertErrno(() -> pd.regDmabufMr(0, 64, 0, -1, RIGHTS), Errno.EBADF);
    assertThatThrownBy(() -> pd.regDmabufMr(0, 64, 0, -1, RIGHTS))
        .hasMessageContaining("ibv_reg_dmabuf_mr refuses 64 bytes of the dma-buf of descriptor -1");
    int ordinary = open(Files.write(folder.resolve("file"), new byte[4096]));
    assertErrno(() -> pd.regDmabufMr(0, 64, 0, ordinary, RIGHTS), Errno.EINVAL);
    CLibraryNative.libc().call("close", ordinary);
    try (Dmabuf buffer = new Dmabuf(4096)) {
      int fd = buffer.fd;
      for (long[] part : new long[][] {{0, 4097}, {4096, 1}, {0, 0}, {-4096, 8}, {0, -1}}) {
        assertErrno(() -> pd.regDmabufMr(part[0], part[1], 0, fd, RIGHTS), Errno.EINVAL);
      }
      assertErrno(() -> pd.regDmabufMr(4088, 16, -8, fd, RIGHTS), Errno.EINVAL);
      assertErrno(() -> pd.regDmabufMr(0, 8, 0, fd, Access.REMOTE_WRITE), Errno.EINVAL);
      for (int right :
          new int[] {Access.ZERO_BASED, Access.MW_BIND, Access.ON_DEMAND, Access.HUGETLB}) {
        assertRefused(
            () -> pd.regDmabufMr(0, 8, 0, fd, RIGHTS, right),
            "only, not 0x" + Integer.toHexString(right));
      }
      int optional = Access.RELAXED_ORDERING | 1 << 29;
      MemoryRegion mr = pd.regDmabufMr(0, 4096, 0, fd, RIGHTS, optional);
      assertThat(mr.access()).isEqualTo(RIGHTS | optional);
      mr.dereg();
      buffer.closeDescriptor();
    }
    assertThatThrownBy(() -> pd.regMrEx(new MrInitAttr().fd(0, 0, 8)))
        .hasMessageContaining("set an iova");
  }

  @Test
  void capabilitiesOfAdaptersAreReadInTheirPlaces() {
    DeviceAttrEx attr = context.queryDeviceEx();
    int rc = OdpTransportCaps.SEND | OdpTransportCaps.READ;
    assertThat(attr.odpCaps())
        .isEqualTo(
            new OdpCaps(
                OdpGeneralCaps.SUPPORT,
                rc,
                OdpTransportCaps.WRITE,
                OdpTransportCaps.RECV,
                OdpTransportCaps.SRQ_RECV));
    assertThat(attr.packetPacingCaps())
        .isEqualTo(new PacketPacingCaps(1, 0xffff_ffffL, 1 << QpType.RAW_PACKET.number()));
    assertThat(attr.pciAtomicCaps()).isEqualTo(new PciAtomicCaps(2, 0, 2));
    assertThat(attr.toString()).contains("rc_odp_caps=0x9", "qpRateLimitMax=4294967295");
  }

  @Test
  void adviceReachesTheDriverWithItsElements() {
    assertThat(context.queryDeviceEx().odpCaps().generalCaps()).isEqualTo(OdpGeneralCaps.SUPPORT);
    MemoryRegion mr = pd.allocMr(64, ON_DEMAND);
    pd.adviseMr(
        AdviseMrAdvice.PREFETCH_WRITE, AdviseMrFlags.FLUSH, mr.sgeAt(8, 3), mr.sgeAt(32, 5));
    pd.adviseMr(AdviseMrAdvice.PREFETCH, 0, mr.sgeAt(16, 7));
    byte[] seen = mr.memory().toArray(ValueLayout.JAVA_BYTE);
    byte[] expected = new byte[64];
    expected[8] = 3;
    expected[32] = 5;
    assertThat(seen).isEqualTo(expected);
  }

  @Test
  void whatTheDriverSaysOfAdviceIsPassedOn() {
    AdviseMrAdvice write = AdviseMrAdvice.PREFETCH_WRITE;
    MemoryRegion mr = pd.allocMr(64, ON_DEMAND);
    assertErrno(() -> pd.adviseMr(AdviseMrAdvice.PREFETCH_NO_FAULT, 0, mr.sge()), Errno.EOPNOTSUPP);
    assertErrno(() -> pd.adviseMr(write, 2, mr.sge()), Errno.EINVAL);
    assertErrno(() -> pd.adviseMr(write, 0), Errno.EINVAL);
    assertThatThrownBy(() -> pd.adviseMr(write, 0, new Sge(mr.addr(), 8, 0)))
        .hasMessageContaining("advise_mr refuses PREFETCH_WRITE with the flags 0x0 about [sge[")
        .hasMessageContaining("ENOENT");
    MemoryRegion locked = pd.allocMr(64, Access.LOCAL_WRITE);
    assertErrno(() -> pd.adviseMr(write, 0, locked.sge()), Errno.ENOENT);
    Sge beyond = new Sge(mr.addr() + 60, 5, mr.lkey());
    assertErrno(() -> pd.adviseMr(write, 0, beyond), Errno.EFAULT);
    MemoryRegion constant = pd.allocMr(64, Access.ON_DEMAND);
    assertErrno(() -> pd.adviseMr(write, 0, constant.sge()), Errno.EPERM);
    pd.adviseMr(AdviseMrAdvice.PREFETCH, 0, constant.sge());
    Sge bare = Sge.of(mr.memory());
    assertThatThrownBy(() -> pd.adviseMr(write, 0, bare)).hasMessageContaining("is not registered");
  }

  private static void assertRefused(ThrowingCallable call, String reason) {
    assertErrno(call, Errno.EINVAL);
    assertThatThrownBy(call).hasMessageContaining(reason);
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
}
