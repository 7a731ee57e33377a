package dev.verbena.soft.device;

/** Kinds of objects, in the order in which a cascade closes them: users before what they use. */
enum Kind {
  MCAST("multicast group"),
  FLOW("flow"),
  QP("QP"),
  RWQ_IND_TABLE("indirection table"),
  WQ("WQ"),
  MW("MW"),
  AH("AH"),
  SRQ("SRQ"),
  MR("MR"),
  PARENT_DOMAIN("parent domain"),
  PD("PD"),
  TD("TD"),
  CQ("CQ"),
  CHANNEL("completion channel"),
  XRCD("XRC domain"),
  CONTEXT("context");

  private final String text;

  Kind(String text) {
    this.text = text;
  }

  /** Name in messages. */
  String text() {
    return text;
  }
}
