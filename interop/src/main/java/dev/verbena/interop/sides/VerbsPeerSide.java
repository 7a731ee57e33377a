package dev.verbena.interop.sides;

import static java.util.Map.entry;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.FlushType;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.SendOps;
import dev.verbena.verbs.WcFlags;
import dev.verbena.verbs.WcOpcode;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WrOpcode;
import java.io.IOException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.StringJoiner;
import java.util.function.Function;

/** A queue pair that verbs_peer.py has. */
final class VerbsPeerSide implements Side {
  /** The commands that post, without the wr_id. */
  private static final Map<WrOpcode, Function<Work, String>> COMMANDS =
      Map.ofEntries(
          entry(WrOpcode.SEND, work -> "send" + list(work)),
          entry(WrOpcode.SEND_WITH_IMM, work -> "send_imm" + list(work) + imm(work)),
          entry(WrOpcode.SEND_WITH_INV, work -> "send_inv" + list(work) + " inv_rkey=" + key(work)),
          entry(WrOpcode.RDMA_WRITE, work -> "write" + list(work) + remote(work)),
          entry(
              WrOpcode.RDMA_WRITE_WITH_IMM,
              work -> "write_imm" + list(work) + remote(work) + imm(work)),
          entry(WrOpcode.RDMA_READ, work -> "read" + list(work) + remote(work)),
          entry(
              WrOpcode.ATOMIC_CMP_AND_SWP,
              work -> "cas" + off(work) + remote(work) + compared(work)),
          entry(
              WrOpcode.ATOMIC_FETCH_AND_ADD,
              work -> "faa" + off(work) + remote(work) + " add=" + first(work)),
          entry(WrOpcode.LOCAL_INV, work -> "local_inv inv_rkey=" + key(work)),
          entry(
              WrOpcode.FLUSH, work -> "flush len=" + work.length() + remote(work) + flushed(work)),
          entry(WrOpcode.ATOMIC_WRITE, work -> "atomic_write" + off(work) + remote(work)));

  private final VerbsPeerConnection connection;
  private final VerbsPeer peer;
  private final PairSettings settings;
  private final Answer opened;
  private final long addr;
  private final int rkey;

  /** Opens the endpoint; takes over the connection. */
  VerbsPeerSide(VerbsPeerConnection connection, VerbsPeer peer, PairSettings settings)
      throws IOException {
    this.connection = connection;
    this.peer = peer;
    this.settings = settings;
    StringBuilder open = new StringBuilder("open gid=" + peer.gidIndex());
    open.append(" length=").append(PairSettings.BUFFER);
    open.append(" send_wr=").append(PairSettings.QUEUE);
    open.append(" recv_wr=").append(PairSettings.QUEUE);
    open.append(" access=").append(accessNames(settings.usualRegionAccess()));
    if (settings.type() == QpType.UD) {
      open.append(" type=ud");
    }
    if (settings.sendOps() != 0) {
      open.append(" ops=").append(opNames(settings.sendOps()));
    }
    settings.psn().ifPresent(psn -> open.append(" psn=").append(psn));
    opened = connection.ask(open.toString());
    addr = opened.number("addr");
    rkey = (int) opened.number("rkey");
  }

  private static String accessNames(int access) {
    StringJoiner names = new StringJoiner(",").setEmptyValue("-");
    addIf(names, access, Access.LOCAL_WRITE, "lw");
    addIf(names, access, Access.REMOTE_WRITE, "rw");
    addIf(names, access, Access.REMOTE_READ, "rr");
    addIf(names, access, Access.REMOTE_ATOMIC, "ra");
    addIf(names, access, Access.MW_BIND, "mw");
    addIf(names, access, Access.FLUSH_GLOBAL, "fg");
    addIf(names, access, Access.FLUSH_PERSISTENT, "fp");
    return names.toString();
  }

  private static String opNames(int ops) {
    StringJoiner names = new StringJoiner(",").setEmptyValue("-");
    addIf(names, ops, SendOps.FLUSH, "flush");
    addIf(names, ops, SendOps.ATOMIC_WRITE, "atomic_write");
    return names.toString();
  }

  private static void addIf(StringJoiner names, int bits, int bit, String name) {
    if ((bits & bit) != 0) {
      names.add(name);
    }
  }

  @Override
  public String name() {
    return peer.name();
  }

  @Override
  public boolean isKernel() {
    return peer.isKernel();
  }

  @Override
  public boolean isPersistent() {
    return false;
  }

  @Override
  public PeerAddress address() throws IOException {
    return new PeerAddress(
        (int) opened.number("qpn"), (int) opened.number("psn"), Gid.parse(opened.text("gid")));
  }

  @Override
  public void connect(PeerAddress peer) throws IOException {
    if (settings.type() == QpType.UD) {
      connection.ask("connect qpn=%d gid=%s".formatted(peer.qpn(), peer.gid().toWireHex()));
      return;
    }
    connection.ask(
        String.format(
            "connect qpn=%d psn=%d gid=%s mtu=%d access=%s timeout=%d retry=%d rnr_retry=%d",
            peer.qpn(),
            peer.psn(),
            peer.gid().toWireHex(),
            settings.mtu().bytes(),
            accessNames(settings.qpAccess()),
            settings.kernelTimeout(),
            settings.retry(),
            settings.rnrRetry()));
  }

  @Override
  public long addr() {
    return addr;
  }

  @Override
  public int rkey() {
    return rkey;
  }

  @Override
  public void fill(long off, int length, int seed) throws IOException {
    connection.ask("fill off=" + off + " len=" + length + " seed=" + seed);
  }

  @Override
  public void check(long off, int length, int seed) throws IOException {
    Answer answer = connection.ask("check off=" + off + " len=" + length + " seed=" + seed);
    if (answer.number("match") != 1) {
      throw new CaseFailure(
          "the kernel's memory, "
              + length
              + " bytes at "
              + off
              + " of seed "
              + seed
              + ": "
              + answer.line());
    }
  }

  @Override
  public byte[] peek(long off, int length) throws IOException {
    return HexFormat.of()
        .parseHex(connection.ask("peek off=" + off + " len=" + length).text("hex"));
  }

  @Override
  public void poke(long off, byte[] bytes) throws IOException {
    connection.ask("poke off=" + off + " hex=" + HexFormat.of().formatHex(bytes));
  }

  @Override
  public int bindWindow(long wrId, long off, int length, int access) throws IOException {
    Answer bound =
        connection.ask(
            "bind_mw%s off=%d len=%d access=%s"
                .formatted(wrId(wrId), off, length, accessNames(access)));
    return (int) bound.number("rkey");
  }

  @Override
  public Datagrams datagrams() {
    return new VerbsPeerDatagrams(connection);
  }

  @Override
  public void post(Work work) throws IOException {
    connection.ask(command(work) + wrId(work.wrId()));
  }

  private static String command(Work work) throws IOException {
    Function<Work, String> command = COMMANDS.get(work.opcode());
    if (command == null) {
      throw new IOException("verbs_peer.py has no command for " + work.opcode());
    }
    return command.apply(work);
  }

  private static String off(Work work) {
    return " off=" + work.off();
  }

  private static String list(Work work) {
    return off(work) + " len=" + work.length() + " sges=" + work.parts();
  }

  private static String imm(Work work) {
    return " imm=" + Integer.toUnsignedString(work.imm());
  }

  private static String key(Work work) {
    return Integer.toUnsignedString(work.remote().rkey());
  }

  private static String remote(Work work) {
    return " raddr=" + Long.toUnsignedString(work.remote().addr()) + " rkey=" + key(work);
  }

  private static String first(Work work) {
    return Long.toUnsignedString(work.operands().first());
  }

  private static String compared(Work work) {
    return " cmp=" + first(work) + " swap=" + Long.toUnsignedString(work.operands().swap());
  }

  private static String flushed(Work work) {
    StringJoiner types = new StringJoiner(",");
    addIf(types, work.flush().type(), FlushType.GLOBAL, "global");
    addIf(types, work.flush().type(), FlushType.PERSISTENT, "persistent");
    return " type=" + types + " level=" + work.flush().level().name().toLowerCase(Locale.ROOT);
  }

  @Override
  public void postRecv(long wrId, long off, int length, int parts) throws IOException {
    connection.ask("post_recv" + wrId(wrId) + " off=" + off + " len=" + length + " sges=" + parts);
  }

  private static String wrId(long wrId) {
    return " wr_id=" + Long.toUnsignedString(wrId);
  }

  @Override
  public Optional<Completion> poll(Duration timeout) throws IOException {
    Answer wc = connection.ask("poll timeout=" + timeout.toMillis());
    if (wc.has("none")) {
      return Optional.empty();
    }
    WcStatus status = WcStatus.of((int) wc.number("status"));
    // After an error the opcode may be any number.
    WcOpcode opcode =
        status == WcStatus.SUCCESS ? WcOpcode.of((int) wc.number("opcode")) : WcOpcode.SEND;
    return Optional.of(
        new Completion(
            wc.number("wr_id"),
            status,
            opcode,
            wc.number("byte_len"),
            number(wc, "imm"),
            number(wc, "inv_rkey"),
            (wc.number("wc_flags") & WcFlags.GRH) != 0,
            (int) wc.number("src_qp")));
  }

  private static OptionalInt number(Answer wc, String key) throws IOException {
    return wc.has(key) ? OptionalInt.of((int) wc.number(key)) : OptionalInt.empty();
  }

  @Override
  public QpState state() throws IOException {
    return QpState.valueOf(connection.ask("query").text("state").toUpperCase(Locale.ROOT));
  }

  @Override
  public long rnrNaks() throws IOException {
    return counter("send_rnr_err") + counter("rcvd_rnr_err");
  }

  private long counter(String name) throws IOException {
    return connection.ask("counter name=" + name).number("value");
  }

  @Override
  public void close() throws IOException {
    connection.close();
  }
}
