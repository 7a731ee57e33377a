package dev.verbena.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Reusable completions. */
class WorkCompletionTest {
  @Test
  void setTakesEveryValue() {
    WorkCompletion all =
        new WorkCompletion()
            .wrId(-1)
            .status(WcStatus.REM_OP_ERR)
            .opcode(WcOpcode.RECV)
            .vendorErr(2, number -> "words for " + number)
            .byteLen(0xffffffffL)
            .immData(3)
            .invalidatedRkey(4)
            .qpNum(5)
            .srcQp(6)
            .wcFlags(7)
            .pkeyIndex(8)
            .slid(9)
            .sl(10)
            .dlidPathBits(11);
    assertThat(new WorkCompletion().set(all)).usingRecursiveComparison().isEqualTo(all);
    assertThat(all).hasNoNullFieldsOrProperties();
  }

  @Test
  void theProvidersWordsForAVendorErrTravelWithIt() {
    WorkCompletion wc = new WorkCompletion().status(WcStatus.LOC_PROT_ERR).qpNum(2);
    assertThat(wc.vendorErr(1).vendorErrText()).isEmpty();
    VendorErrors words = number -> number == 1 ? "no region has this key" : "";
    WorkCompletion polled = new WorkCompletion().set(wc.vendorErr(1, words));
    assertThat(polled.vendorErrText()).isEqualTo("no region has this key");
    assertThat(polled)
        .hasToString("wc[wr_id=0, LOC_PROT_ERR, vendor_err 1: no region has this key, qp_num=0x2]");
    assertThat(new WcException(polled))
        .hasMessageContaining("(op=SEND vend=0x1, no region has this key, wr_id=0 qp=0x2)");
    assertThat(polled.vendorErr(0, words)).asString().contains(", vendor_err 0, ");
    assertThat(polled.vendorErr(1).vendorErrText()).as("a number without words").isEmpty();
  }

  @Test
  void flagsTellWhatIsValid() {
    WorkCompletion wc = new WorkCompletion();
    assertThat(wc.isSuccess()).isTrue();
    assertThat(wc.status(WcStatus.GENERAL_ERR).isSuccess()).isFalse();
    assertThat(wc.wcFlags(WcFlags.GRH | WcFlags.WITH_INV).hasImm()).isFalse();
    assertThat(wc.wcFlags(WcFlags.WITH_IMM).hasImm()).isTrue();
  }

  @Test
  void textShowsWhatIsValid() {
    WorkCompletion wc =
        new WorkCompletion()
            .wrId(1)
            .opcode(WcOpcode.RECV_RDMA_WITH_IMM)
            .byteLen(5)
            .qpNum(0x11)
            .wcFlags(WcFlags.WITH_IMM)
            .immData(0x1234);
    assertThat(wc)
        .hasToString(
            "wc[wr_id=1, SUCCESS, RECV_RDMA_WITH_IMM, byte_len=5, qp_num=0x11, imm=0x1234]");
    assertThat(new WorkCompletion().wrId(2).status(WcStatus.WR_FLUSH_ERR).vendorErr(7).qpNum(1))
        .hasToString("wc[wr_id=2, WR_FLUSH_ERR, vendor_err 7, qp_num=0x1]");
  }
}
