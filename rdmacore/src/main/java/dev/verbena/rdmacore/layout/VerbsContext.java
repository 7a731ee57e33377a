package dev.verbena.rdmacore.layout;

/** The struct that ends with an {@link IbvContext}, and grows at its start. */
public final class VerbsContext {
  public static final StructLayout LAYOUT =
      StructLayout.growingAtStart("struct verbs_context", 648);

  public static final long QUERY_PORT = LAYOUT.field("query_port", 0, 8);
  public static final long ADVISE_MR = LAYOUT.field("advise_mr", 8, 8);
  public static final long ALLOC_NULL_MR = LAYOUT.field("alloc_null_mr", 16, 8);
  public static final long READ_COUNTERS = LAYOUT.field("read_counters", 24, 8);
  public static final long ATTACH_COUNTERS_POINT_FLOW =
      LAYOUT.field("attach_counters_point_flow", 32, 8);
  public static final long CREATE_COUNTERS = LAYOUT.field("create_counters", 40, 8);
  public static final long DESTROY_COUNTERS = LAYOUT.field("destroy_counters", 48, 8);
  public static final long REG_DM_MR = LAYOUT.field("reg_dm_mr", 56, 8);
  public static final long ALLOC_DM = LAYOUT.field("alloc_dm", 64, 8);
  public static final long FREE_DM = LAYOUT.field("free_dm", 72, 8);
  public static final long MODIFY_FLOW_ACTION_ESP = LAYOUT.field("modify_flow_action_esp", 80, 8);
  public static final long DESTROY_FLOW_ACTION = LAYOUT.field("destroy_flow_action", 88, 8);
  public static final long CREATE_FLOW_ACTION_ESP = LAYOUT.field("create_flow_action_esp", 96, 8);
  public static final long MODIFY_QP_RATE_LIMIT = LAYOUT.field("modify_qp_rate_limit", 104, 8);
  public static final long ALLOC_PARENT_DOMAIN = LAYOUT.field("alloc_parent_domain", 112, 8);
  public static final long DEALLOC_TD = LAYOUT.field("dealloc_td", 120, 8);
  public static final long ALLOC_TD = LAYOUT.field("alloc_td", 128, 8);
  public static final long MODIFY_CQ = LAYOUT.field("modify_cq", 136, 8);
  public static final long POST_SRQ_OPS = LAYOUT.field("post_srq_ops", 144, 8);
  public static final long DESTROY_RWQ_IND_TABLE = LAYOUT.field("destroy_rwq_ind_table", 152, 8);
  public static final long CREATE_RWQ_IND_TABLE = LAYOUT.field("create_rwq_ind_table", 160, 8);
  public static final long DESTROY_WQ = LAYOUT.field("destroy_wq", 168, 8);
  public static final long MODIFY_WQ = LAYOUT.field("modify_wq", 176, 8);
  public static final long CREATE_WQ = LAYOUT.field("create_wq", 184, 8);
  public static final long QUERY_RT_VALUES = LAYOUT.field("query_rt_values", 192, 8);
  public static final long CREATE_CQ_EX = LAYOUT.field("create_cq_ex", 200, 8);
  public static final long PRIV = LAYOUT.field("priv", 208, 8);
  public static final long QUERY_DEVICE_EX = LAYOUT.field("query_device_ex", 216, 8);
  public static final long IBV_DESTROY_FLOW = LAYOUT.field("ibv_destroy_flow", 224, 8);
  public static final long IBV_CREATE_FLOW = LAYOUT.field("ibv_create_flow", 240, 8);
  public static final long OPEN_QP = LAYOUT.field("open_qp", 256, 8);
  public static final long CREATE_QP_EX = LAYOUT.field("create_qp_ex", 264, 8);
  public static final long GET_SRQ_NUM = LAYOUT.field("get_srq_num", 272, 8);
  public static final long CREATE_SRQ_EX = LAYOUT.field("create_srq_ex", 280, 8);
  public static final long OPEN_XRCD = LAYOUT.field("open_xrcd", 288, 8);
  public static final long CLOSE_XRCD = LAYOUT.field("close_xrcd", 296, 8);

  /** Size of this struct in bytes: an operation further than this from the end is absent. */
  public static final long SZ = LAYOUT.field("sz", 312, 8);

  /** An {@link IbvContext}. */
  public static final long CONTEXT = LAYOUT.field("context", 320, 328);

  private VerbsContext() {}
}
