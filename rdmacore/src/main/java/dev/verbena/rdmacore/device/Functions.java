package dev.verbena.rdmacore.device;

import java.lang.foreign.SymbolLookup;

/**
 * The functions that libibverbs exports. Of several versions of a symbol the loader takes the
 * newest; a function that the installed release lacks fails with EOPNOTSUPP when it is called.
 */
final class Functions {
  private static final SymbolLookup LIBRARY = FunctionNative.library(Libibverbs.file());

  static final FunctionNative GET_DEVICE_LIST = function("ibv_get_device_list");
  static final FunctionNative FREE_DEVICE_LIST = function("ibv_free_device_list");
  static final FunctionNative GET_DEVICE_GUID = function("ibv_get_device_guid");
  static final FunctionNative OPEN_DEVICE = function("ibv_open_device");
  static final FunctionNative CLOSE_DEVICE = function("ibv_close_device");
  static final FunctionNative QUERY_DEVICE = function("ibv_query_device");
  static final FunctionNative QUERY_PORT = function("ibv_query_port");
  static final FunctionNative QUERY_GID = function("ibv_query_gid");
  static final FunctionNative QUERY_GID_EX = function("_ibv_query_gid_ex");
  static final FunctionNative QUERY_GID_TABLE = function("_ibv_query_gid_table");
  static final FunctionNative QUERY_PKEY = function("ibv_query_pkey");
  static final FunctionNative INIT_AH_FROM_WC = function("ibv_init_ah_from_wc");
  static final FunctionNative GET_ASYNC_EVENT = function("ibv_get_async_event");
  static final FunctionNative ACK_ASYNC_EVENT = function("ibv_ack_async_event");
  static final FunctionNative ALLOC_PD = function("ibv_alloc_pd");
  static final FunctionNative DEALLOC_PD = function("ibv_dealloc_pd");
  static final FunctionNative REG_MR = function("ibv_reg_mr");
  static final FunctionNative REG_MR_IOVA2 = function("ibv_reg_mr_iova2");
  static final FunctionNative DEREG_MR = function("ibv_dereg_mr");
  static final FunctionNative CREATE_COMP_CHANNEL = function("ibv_create_comp_channel");
  static final FunctionNative DESTROY_COMP_CHANNEL = function("ibv_destroy_comp_channel");
  static final FunctionNative GET_CQ_EVENT = function("ibv_get_cq_event");
  static final FunctionNative ACK_CQ_EVENTS = function("ibv_ack_cq_events");
  static final FunctionNative CREATE_CQ = function("ibv_create_cq");
  static final FunctionNative RESIZE_CQ = function("ibv_resize_cq");
  static final FunctionNative DESTROY_CQ = function("ibv_destroy_cq");
  static final FunctionNative CREATE_QP = function("ibv_create_qp");
  static final FunctionNative MODIFY_QP = function("ibv_modify_qp");
  static final FunctionNative QUERY_QP = function("ibv_query_qp");
  static final FunctionNative DESTROY_QP = function("ibv_destroy_qp");
  static final FunctionNative QP_TO_QP_EX = function("ibv_qp_to_qp_ex");
  static final FunctionNative CREATE_SRQ = function("ibv_create_srq");
  static final FunctionNative MODIFY_SRQ = function("ibv_modify_srq");
  static final FunctionNative QUERY_SRQ = function("ibv_query_srq");
  static final FunctionNative DESTROY_SRQ = function("ibv_destroy_srq");
  static final FunctionNative CREATE_AH = function("ibv_create_ah");
  static final FunctionNative DESTROY_AH = function("ibv_destroy_ah");
  static final FunctionNative ATTACH_MCAST = function("ibv_attach_mcast");
  static final FunctionNative DETACH_MCAST = function("ibv_detach_mcast");

  /** Why the library is of no use, or an empty text; fails if it cannot be loaded. */
  static String checkPresence() {
    return GET_DEVICE_LIST.exists() ? "" : Libibverbs.file() + " has no ibv_get_device_list";
  }

  private static FunctionNative function(String name) {
    return FunctionNative.exported(LIBRARY, name);
  }

  private Functions() {}
}
