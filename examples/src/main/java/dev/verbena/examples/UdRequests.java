package dev.verbena.examples;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.AhAttr;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.Grh;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WcFlags;
import dev.verbena.verbs.WcOpcode;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WrOpcode;
import dev.verbena.verbs.connect.ConnParam;
import dev.verbena.verbs.connect.Connection;
import dev.verbena.verbs.connect.ConnectionListener;
import dev.verbena.verbs.connect.RemoteQp;
import dev.verbena.verbs.vtools.BufferPool;
import dev.verbena.verbs.vtools.CqPoller;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;

/**
 * Requests and responses by datagrams: one queue pair talks to any number of others, of which a
 * datagram's completion and its first 40 bytes name the sender. Datagrams get lost, so a client
 * sends a request again if no response comes, with the same number in the immediate data. A server
 * may then meet it twice, so requests should do no harm if they are executed again.
 */
public final class UdRequests {
  /** What a datagram must carry to be received: no secret, but it keeps strays away. */
  static final int QKEY = 0x0abc_1234;

  private static final int DEPTH = 16;

  /** More than are under way, so no handle is closed while a response needs it. */
  private static final int MOST_CLIENTS = 4 * DEPTH;

  private static final Duration UNTIL_AGAIN = Duration.ofMillis(20);
  private static final int MOST_TRIES = 500;

  /** Runs the example; {@link Ends#run} says with which arguments. */
  public static void main(String[] args) throws Exception {
    Ends.run(UdRequests::serve, (device, server) -> ask(device, server, 5, System.out), args);
  }

  static void serve(String device, ConnectionListener listener) throws IOException {
    try (Context ctx = Devices.open(device)) {
      Peer own = new Peer(ctx);
      // A client learns of the queue pair, which serves all, and that is all.
      var _ =
          listener
              .serveAsync(client -> client.accept(new ConnParam().ud(own.qp, QKEY)).close())
              .whenComplete((_, _) -> Clients.flush(own.qp));
      own.answer();
    }
  }

  static void ask(String device, InetSocketAddress server, int questions, PrintStream out)
      throws IOException {
    try (Context ctx = Devices.open(device)) {
      Peer own = new Peer(ctx);
      Connection connection = Connection.connect(server, new ConnParam().ud(own.qp, QKEY));
      RemoteQp to = connection.remoteQps().getFirst();
      AddressHandle ah = own.pd.createAh(AhAttr.to(to.endpoint()));
      int sent = 0;
      for (int number = 1; number <= questions; number++) {
        sent += own.ask("question " + number, number, ah, to.endpoint().qpNum(), out);
      }
      connection.close();
      out.println(questions + " responses to " + sent + " requests");
    }
  }

  /** A queue pair with its buffers. */
  private static final class Peer {
    private final ProtectionDomain pd;
    private final CompletionQueue cq;
    private final QueuePair qp;
    private final BufferPool pool;
    private final int mtu;
    private final LinkedHashMap<Gid, AddressHandle> clients = new LinkedHashMap<>();

    Peer(Context ctx) {
      pd = ctx.allocPd();
      cq = ctx.createCq(2 * DEPTH, ctx.createCompChannel());
      qp = pd.createQp(QpInitAttr.ud(cq).maxSendWr(DEPTH).maxRecvWr(DEPTH));
      // Room for any datagram: one that is too long ends the queue pair of many an adapter.
      mtu = ctx.queryPort(1).activeMtu().bytes();
      pool = new BufferPool(pd, 2 * DEPTH, Grh.LENGTH + mtu);
      qp.toRts(QKEY);
      pool.postRecvs(qp, DEPTH);
    }

    /** Answers requests until the queue pair is flushed. */
    void answer() {
      try (CqPoller poller = new CqPoller(cq)) {
        for (WorkCompletion wc : poller.iterwc()) {
          if (wc.status() == WcStatus.WR_FLUSH_ERR) {
            return;
          }
          // With no buffer free the request is left alone, as if it were lost.
          if (isNumbered(wc.orThrow()) && pool.available() > 0) {
            answer(wc);
          }
          pool.finishWcs(qp, wc);
        }
      }
    }

    private void answer(WorkCompletion wc) {
      AddressHandle client;
      try {
        client = sender(wc);
      } catch (VerbsException e) {
        // Anybody can send from an address to which no way leads back.
        Clients.lost(e);
        return;
      }
      send(text(wc).toUpperCase(Locale.ROOT), wc.immData(), client, wc.srcQp());
    }

    /** The way back to a sender. Those that have not sent for longest are forgotten. */
    private AddressHandle sender(WorkCompletion wc) {
      MemorySegment grh = pool.memory(wc.wrId());
      Gid gid = Grh.of(grh).sgid();
      AddressHandle known = clients.remove(gid);
      AddressHandle client = known != null ? known : pd.createAhFromWc(wc, grh, 1);
      clients.put(gid, client);
      if (clients.size() > MOST_CLIENTS) {
        clients.pollFirstEntry().getValue().close();
      }
      return client;
    }

    /** Whether this is a datagram of a number and a sender, which strays may lack. */
    private static boolean isNumbered(WorkCompletion wc) {
      int both = WcFlags.WITH_IMM | WcFlags.GRH;
      return wc.opcode() == WcOpcode.RECV && (wc.wcFlags() & both) == both;
    }

    /** Asks until there is a response; returns how often it has asked. */
    int ask(String question, int number, AddressHandle ah, int qpn, PrintStream out) {
      try (CqPoller poller = new CqPoller(cq)) {
        for (int tries = 1; tries <= MOST_TRIES; tries++) {
          send(question, number, ah, qpn);
          for (WorkCompletion wc : poller.iterwc(UNTIL_AGAIN)) {
            boolean answered = isNumbered(wc.orThrow()) && wc.immData() == number;
            if (answered) {
              out.println(text(wc));
            }
            pool.finishWcs(qp, wc);
            if (answered) {
              return tries;
            }
          }
        }
      }
      throw new IllegalStateException(MOST_TRIES + " requests without a response: " + question);
    }

    private void send(String text, int number, AddressHandle ah, int qpn) {
      int buffer = pool.pop();
      int length = Math.min(mtu, pool.copyTo(text.getBytes(UTF_8), buffer));
      SendWr wr = pool.makeSendWr(buffer, length);
      wr.opcode(WrOpcode.SEND_WITH_IMM).immData(number);
      qp.postSend(wr.ah(ah).remoteQpn(qpn).remoteQkey(QKEY));
    }

    private String text(WorkCompletion wc) {
      int length = (int) wc.byteLen() - Grh.LENGTH;
      return new String(pool.copyFrom(wc.wrId(), Grh.LENGTH, length), UTF_8);
    }
  }

  private UdRequests() {}
}
