package dev.verbena.verbs.provider;

/** Kinds of objects, in the order in which a cascade closes them: users before what they use. */
public enum Kind {
  MCAST("multicast group", "detachMcast"),
  FLOW("flow", "destroyFlow"),
  QP("QP", "destroyQp"),
  RWQ_IND_TABLE("indirection table", "destroyRwqIndTable"),
  WQ("WQ", "destroyWq"),
  MW("MW", "deallocMw"),
  AH("AH", "destroyAh"),
  SRQ("SRQ", "destroySrq"),
  MR("MR", "deregMr"),
  CQ("CQ", "destroyCq"),
  PARENT_DOMAIN("parent domain", "deallocPd"),
  PD("PD", "deallocPd"),
  DM("device memory", "freeDm"),
  TD("TD", "deallocTd"),
  CHANNEL("completion channel", "destroyCompChannel"),
  XRCD("XRC domain", "closeXrcd"),
  CONTEXT("context", "closeDevice");

  private final String text;
  private final String end;

  Kind(String text, String end) {
    this.text = text;
    this.end = end;
  }

  /** Name in messages. */
  public String text() {
    return text;
  }

  /** The verb that destroys one. */
  public String end() {
    return end;
  }
}
