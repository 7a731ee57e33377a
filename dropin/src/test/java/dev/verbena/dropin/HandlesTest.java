package dev.verbena.dropin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.dropin.object.CqBinding;
import dev.verbena.dropin.object.QpBinding;
import dev.verbena.rdmacore.host.Host;
import dev.verbena.rdmacore.layout.IbvAhAttr;
import dev.verbena.rdmacore.layout.IbvContext;
import dev.verbena.rdmacore.layout.IbvPd;
import dev.verbena.rdmacore.layout.IbvQp;
import dev.verbena.rdmacore.layout.IbvSrqAttr;
import dev.verbena.rdmacore.layout.IbvSrqInitAttr;
import dev.verbena.rdmacore.layout.IbvTdInitAttr;
import dev.verbena.rdmacore.layout.VerbsContext;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.MwType;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.VerbsException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests what is kept of the program's objects, and the errors for missing ones. */
final class HandlesTest {
  private static final int ROUNDS = 200;

  /** Handles that the library may have for other objects than those left open. */
  private static final int OTHERS = ROUNDS;

  private final Program program = new Program();

  @AfterEach
  void end() {
    program.close();
  }

  @Test
  void ofADeviceThatIsClosedNothingIsKeptHoweverMuchWasLeftOpen() {
    int first = openMuchAndCloseTheDevice();
    int highest = first;
    for (int i = 0; i < ROUNDS; i++) {
      highest = Math.max(highest, openMuchAndCloseTheDevice());
    }
    assertThat(highest).isLessThan(first + OTHERS);
  }

  /** Returns the handle of its protection domain. */
  private int openMuchAndCloseTheDevice() {
    long list = Verbs.call("ibv_get_device_list", 0);
    long context = Verbs.call("ibv_open_device", Host.getLong(list));
    Verbs.call("ibv_free_device_list", list);
    long pd = made(Verbs.call("ibv_alloc_pd", context));
    int handle = Host.getInt(pd + IbvPd.HANDLE);
    made(Verbs.call("ibv_reg_mr", pd, program.memory(64), 64, Access.LOCAL_WRITE));
    made(Verbs.inline(context, IbvContext.OPS_ALLOC_MW, pd, MwType.TYPE_2.number()));
    made(Verbs.call("ibv_create_comp_channel", context));
    long cq = made(Verbs.call("ibv_create_cq", context, 16, 0, 0, 0));
    made(Verbs.call("ibv_create_qp", pd, program.qpInit(QpType.RC, cq)));
    long srq = program.struct(IbvSrqInitAttr.LAYOUT);
    Host.setInt(srq + IbvSrqInitAttr.ATTR + IbvSrqAttr.MAX_WR, 4);
    made(Verbs.call("ibv_create_srq", pd, srq));
    long route = program.struct(IbvAhAttr.LAYOUT);
    program.route(route);
    made(Verbs.call("ibv_create_ah", pd, route));
    long td = program.struct(IbvTdInitAttr.LAYOUT);
    made(Verbs.operation(context, VerbsContext.ALLOC_TD, context, td));
    assertThat(Verbs.callInt("ibv_close_device", context)).isZero();
    return handle;
  }

  private static long made(long object) {
    assertThat(object).isNotZero();
    return object;
  }

  @Test
  void aHandleOfNothingIsEinvalAndTheMessageSpeaksOfVerbs() {
    assertThatThrownBy(() -> CqBinding.get(Integer.MAX_VALUE))
        .isInstanceOfSatisfying(
            VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL))
        .hasMessageContaining("2147483647 refers to no completion queue that exists");
    assertThatThrownBy(() -> QpBinding.get(-2)).hasMessageContaining("-2 refers to no queue pair");
  }

  @Test
  void aHandleOfSomethingElseIsEinval() {
    int pd = Host.getInt(program.pd() + IbvPd.HANDLE);
    assertThatThrownBy(() -> MemoryCalls.mr(pd))
        .hasMessageContaining(pd + " refers to no memory region that exists");
    assertThat(DomainCalls.pd(pd)).isNotNull();
  }

  @Test
  void aQueuePairWithoutSendOperationsIsNamed() {
    long qp = program.qp(QpType.RC, program.cq(16));
    QpBinding binding = QpBinding.get(Host.getInt(qp + IbvQp.HANDLE));
    assertThatThrownBy(binding::extended)
        .hasMessageStartingWith("QP ")
        .hasMessageContaining("send_ops_flags");
  }
}
