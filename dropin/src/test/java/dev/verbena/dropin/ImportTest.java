package dev.verbena.dropin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.rdmacore.host.Host;
import dev.verbena.rdmacore.layout.IbvContext;
import dev.verbena.rdmacore.layout.IbvMr;
import dev.verbena.rdmacore.layout.IbvPd;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.WrOpcode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests contexts, domains and regions that a program imports within its process. */
final class ImportTest {
  private static final int BYTES = 64;
  private static final int EBADF = 9;

  private final Program program = new Program();

  @AfterEach
  void end() {
    program.close();
  }

  private static int dup(long context) {
    int fd = (int) CLibraryNative.libc().call("dup", Host.getInt(context + IbvContext.CMD_FD));
    assertThat(fd).isNotNegative();
    return fd;
  }

  /** Whether this is a command descriptor; another thread may have reused the number meanwhile. */
  private static boolean isOfDevice(int fd) throws IOException {
    Path link = Path.of("/proc/self/fd/" + fd);
    return Files.exists(link, LinkOption.NOFOLLOW_LINKS)
        && Files.readSymbolicLink(link).toString().contains("memfd:verbena");
  }

  private static int pdHandle(long pd) {
    return Host.getInt(pd + IbvPd.HANDLE);
  }

  private static int mrHandle(long mr) {
    return Host.getInt(mr + IbvMr.HANDLE);
  }

  @Test
  void anImportedRegionIsUsedByItsKeysThroughAnImportedContext() {
    long mr = program.mr(2 * BYTES, Program.LOCAL_WRITE | Program.ALL_REMOTE);
    Host.setByte(Program.addr(mr), 42);

    long context = Verbs.call("ibv_import_device", dup(program.context()));
    long pd = Verbs.call("ibv_import_pd", context, pdHandle(program.pd()));
    long imported = Verbs.call("ibv_import_mr", pd, mrHandle(mr));
    assertThat(imported).isNotZero();
    assertThat(Program.lkey(imported)).isEqualTo(Program.lkey(mr));
    assertThat(Program.rkey(imported)).isEqualTo(Program.rkey(mr));
    assertThat(Program.addr(imported)).isZero();
    assertThat(Host.getLong(imported + IbvMr.LENGTH)).isEqualTo(2 * BYTES);

    long cq = Verbs.call("ibv_create_cq", context, 16, 0, 0, 0);
    long qp = Verbs.call("ibv_create_qp", pd, program.qpInit(QpType.RC, cq));
    program.connect(qp, qp);
    long wr =
        program.sendWr(7, WrOpcode.SEND.number(), SendFlags.SIGNALED, program.sge(mr, 0, BYTES));
    long bad = program.memory(Long.BYTES);
    assertThat(program.postRecv(qp, program.recvWr(6, program.sge(mr, BYTES, BYTES)), bad))
        .isZero();
    assertThat(program.postSend(qp, wr, bad)).isZero();
    program.succeeded(cq, 6);
    program.succeeded(cq, 7);
    assertThat(Host.getByte(Program.addr(mr) + BYTES)).isEqualTo(42);

    assertThat(Verbs.callInt("ibv_destroy_qp", qp)).isZero();
    assertThat(Verbs.callInt("ibv_destroy_cq", cq)).isZero();
    Verbs.call("ibv_unimport_mr", imported);
    Verbs.call("ibv_unimport_pd", pd);
    assertThat(Verbs.callInt("ibv_close_device", context)).isZero();
  }

  @Test
  void theDeviceStaysOpenUntilTheLastOfItsContextsIsClosed() throws IOException {
    Program first = new Program();
    int original = Host.getInt(first.context() + IbvContext.CMD_FD);
    int fd = dup(first.context());
    long context = Verbs.call("ibv_import_device", fd);
    assertThat(context).isNotZero();
    first.close();

    long pd = Verbs.call("ibv_alloc_pd", context);
    assertThat(pd).isNotZero();
    assertThat(Verbs.callInt("ibv_dealloc_pd", pd)).isZero();
    assertThat(isOfDevice(original)).isTrue();
    assertThat(isOfDevice(fd)).isTrue();
    assertThat(Verbs.callInt("ibv_close_device", context)).isZero();

    assertThat(isOfDevice(original)).isFalse();
    assertThat(isOfDevice(fd)).isFalse();
  }

  @Test
  void whatIsNoDescriptorOfADeviceIsNotImported() {
    long nothing = Verbs.call("ibv_import_device", 1);
    assertThat(nothing).isZero();
    assertThat(Verbs.errno()).isEqualTo(Errno.EOPNOTSUPP);

    assertThat(Verbs.call("ibv_import_device", -1)).isZero();
    assertThat(Verbs.errno()).isEqualTo(EBADF);
  }

  @Test
  void handlesOfSomethingElseAreRefused() {
    Program other = new Program();
    long mr = other.mr(BYTES, Program.LOCAL_WRITE);

    assertThat(Verbs.call("ibv_import_pd", program.context(), pdHandle(other.pd()))).isZero();
    assertThat(Verbs.errno()).isEqualTo(Errno.EINVAL);
    assertThat(Verbs.call("ibv_import_pd", program.context(), mrHandle(mr))).isZero();
    assertThat(Verbs.call("ibv_import_mr", program.pd(), mrHandle(mr))).isZero();
    assertThat(Verbs.errno()).isEqualTo(Errno.EINVAL);
    other.close();
  }
}
