package dev.verbena.rdmacore.layout;

import java.util.List;

/** All layouts of this package: rdma-core 44, 64-bit. */
public final class Layouts {
  private static final List<StructLayout> ALL =
      List.of(
          IbvAh.LAYOUT,
          IbvAhAttr.LAYOUT,
          IbvAllocDmAttr.LAYOUT,
          IbvAsyncEvent.LAYOUT,
          IbvCompChannel.LAYOUT,
          IbvContext.LAYOUT,
          IbvCq.LAYOUT,
          IbvCqEx.LAYOUT,
          IbvCqInitAttrEx.LAYOUT,
          IbvDataBuf.LAYOUT,
          IbvDevice.LAYOUT,
          IbvDeviceAttr.LAYOUT,
          IbvDeviceAttrEx.LAYOUT,
          IbvDm.LAYOUT,
          IbvEce.LAYOUT,
          IbvFlow.LAYOUT,
          IbvFlowAttr.LAYOUT,
          IbvFlowSpec.LAYOUT,
          IbvFlowSpecActionDrop.LAYOUT,
          IbvFlowSpecActionTag.LAYOUT,
          IbvFlowSpecEth.LAYOUT,
          IbvFlowSpecIpv4.LAYOUT,
          IbvFlowSpecIpv4Ext.LAYOUT,
          IbvFlowSpecIpv6.LAYOUT,
          IbvFlowSpecTcpUdp.LAYOUT,
          IbvGid.LAYOUT,
          IbvGidEntry.LAYOUT,
          IbvGlobalRoute.LAYOUT,
          IbvGrh.LAYOUT,
          IbvModifyCqAttr.LAYOUT,
          IbvMr.LAYOUT,
          IbvMw.LAYOUT,
          IbvMwBind.LAYOUT,
          IbvMwBindInfo.LAYOUT,
          IbvParentDomainInitAttr.LAYOUT,
          IbvPd.LAYOUT,
          IbvPollCqAttr.LAYOUT,
          IbvPortAttr.LAYOUT,
          IbvQp.LAYOUT,
          IbvQpAttr.LAYOUT,
          IbvQpCap.LAYOUT,
          IbvQpEx.LAYOUT,
          IbvQpInitAttr.LAYOUT,
          IbvQpInitAttrEx.LAYOUT,
          IbvQpOpenAttr.LAYOUT,
          IbvQpRateLimitAttr.LAYOUT,
          IbvQueryDeviceExInput.LAYOUT,
          IbvRecvWr.LAYOUT,
          IbvRwqIndTable.LAYOUT,
          IbvRwqIndTableInitAttr.LAYOUT,
          IbvSendWr.LAYOUT,
          IbvSge.LAYOUT,
          IbvSrq.LAYOUT,
          IbvSrqAttr.LAYOUT,
          IbvSrqInitAttr.LAYOUT,
          IbvSrqInitAttrEx.LAYOUT,
          IbvTd.LAYOUT,
          IbvTdInitAttr.LAYOUT,
          IbvValuesEx.LAYOUT,
          IbvWc.LAYOUT,
          IbvWq.LAYOUT,
          IbvWqAttr.LAYOUT,
          IbvWqInitAttr.LAYOUT,
          IbvXrcd.LAYOUT,
          IbvXrcdInitAttr.LAYOUT,
          VerbsContext.LAYOUT);

  private Layouts() {}

  /** Every struct that a class of this package describes. */
  public static List<StructLayout> all() {
    return ALL;
  }
}
