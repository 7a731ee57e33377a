package dev.verbena.rdmacore.call;

/**
 * The functions that libibverbs exports, each in the version that programs compiled for rdma-core
 * 44 are linked with. What the installed release lacks fails with EOPNOTSUPP, by name and version,
 * when it is called.
 */
public final class Functions {
  private static final VersionedLibrary LIBRARY = VersionedLibrary.load(Libibverbs.file());

  public static final FunctionNative FORK_INIT = function("ibv_fork_init", "1.1");
  public static final FunctionNative IS_FORK_INITIALIZED =
      function("ibv_is_fork_initialized", "1.13");
  public static final FunctionNative GET_DEVICE_LIST = function("ibv_get_device_list", "1.1");
  public static final FunctionNative FREE_DEVICE_LIST = function("ibv_free_device_list", "1.1");
  public static final FunctionNative GET_DEVICE_GUID = function("ibv_get_device_guid", "1.1");
  public static final FunctionNative OPEN_DEVICE = function("ibv_open_device", "1.1");
  public static final FunctionNative CLOSE_DEVICE = function("ibv_close_device", "1.1");
  public static final FunctionNative QUERY_DEVICE = function("ibv_query_device", "1.1");
  public static final FunctionNative QUERY_PORT = function("ibv_query_port", "1.1");
  public static final FunctionNative QUERY_GID = function("ibv_query_gid", "1.1");
  public static final FunctionNative QUERY_GID_EX = function("_ibv_query_gid_ex", "1.11");
  public static final FunctionNative QUERY_GID_TABLE = function("_ibv_query_gid_table", "1.11");
  public static final FunctionNative QUERY_PKEY = function("ibv_query_pkey", "1.1");
  public static final FunctionNative INIT_AH_FROM_WC = function("ibv_init_ah_from_wc", "1.1");
  public static final FunctionNative GET_ASYNC_EVENT = function("ibv_get_async_event", "1.1");
  public static final FunctionNative ACK_ASYNC_EVENT = function("ibv_ack_async_event", "1.1");
  public static final FunctionNative ALLOC_PD = function("ibv_alloc_pd", "1.1");
  public static final FunctionNative DEALLOC_PD = function("ibv_dealloc_pd", "1.1");
  public static final FunctionNative REG_MR = function("ibv_reg_mr", "1.1");
  public static final FunctionNative REG_MR_IOVA2 = function("ibv_reg_mr_iova2", "1.8");
  public static final FunctionNative REG_DMABUF_MR = function("ibv_reg_dmabuf_mr", "1.12");
  public static final FunctionNative REREG_MR = function("ibv_rereg_mr", "1.1");
  public static final FunctionNative DEREG_MR = function("ibv_dereg_mr", "1.1");
  public static final FunctionNative CREATE_COMP_CHANNEL =
      function("ibv_create_comp_channel", "1.0");
  public static final FunctionNative DESTROY_COMP_CHANNEL =
      function("ibv_destroy_comp_channel", "1.0");
  public static final FunctionNative GET_CQ_EVENT = function("ibv_get_cq_event", "1.1");
  public static final FunctionNative ACK_CQ_EVENTS = function("ibv_ack_cq_events", "1.1");
  public static final FunctionNative CREATE_CQ = function("ibv_create_cq", "1.1");
  public static final FunctionNative RESIZE_CQ = function("ibv_resize_cq", "1.1");
  public static final FunctionNative DESTROY_CQ = function("ibv_destroy_cq", "1.1");
  public static final FunctionNative CREATE_QP = function("ibv_create_qp", "1.1");
  public static final FunctionNative MODIFY_QP = function("ibv_modify_qp", "1.1");
  public static final FunctionNative QUERY_QP = function("ibv_query_qp", "1.1");
  public static final FunctionNative DESTROY_QP = function("ibv_destroy_qp", "1.1");
  public static final FunctionNative QP_TO_QP_EX = function("ibv_qp_to_qp_ex", "1.6");
  public static final FunctionNative SET_ECE = function("ibv_set_ece", "1.10");
  public static final FunctionNative QUERY_ECE = function("ibv_query_ece", "1.10");
  public static final FunctionNative QUERY_QP_DATA_IN_ORDER =
      function("ibv_query_qp_data_in_order", "1.14");
  public static final FunctionNative CREATE_SRQ = function("ibv_create_srq", "1.1");
  public static final FunctionNative MODIFY_SRQ = function("ibv_modify_srq", "1.1");
  public static final FunctionNative QUERY_SRQ = function("ibv_query_srq", "1.1");
  public static final FunctionNative DESTROY_SRQ = function("ibv_destroy_srq", "1.1");
  public static final FunctionNative CREATE_AH = function("ibv_create_ah", "1.1");
  public static final FunctionNative DESTROY_AH = function("ibv_destroy_ah", "1.1");
  public static final FunctionNative ATTACH_MCAST = function("ibv_attach_mcast", "1.1");
  public static final FunctionNative DETACH_MCAST = function("ibv_detach_mcast", "1.1");

  /** Why the library is of no use, or an empty text; fails if it cannot be loaded. */
  static String checkPresence() {
    return GET_DEVICE_LIST.exists() ? "" : Libibverbs.file() + " has no " + GET_DEVICE_LIST;
  }

  private static FunctionNative function(String name, String version) {
    return LIBRARY.function(name, "IBVERBS_" + version);
  }

  private Functions() {}
}
