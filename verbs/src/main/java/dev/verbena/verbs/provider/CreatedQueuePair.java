package dev.verbena.verbs.provider;

import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairEx;
import dev.verbena.verbs.SharedReceiveQueue;
import dev.verbena.verbs.VerbsException;
import org.jspecify.annotations.Nullable;

/** A queue pair, with what it answers from the attributes with which it was created. */
public interface CreatedQueuePair extends QueuePair, EventedEnding {
  /** The attributes that were granted; nobody changes them. */
  QpInitAttr init();

  /** When it ends. */
  Lifetime lifetime();

  @Override
  default QpType qpType() {
    lifetime().require("qpType");
    return init().qpType();
  }

  @Override
  default @Nullable CompletionQueue sendCq() {
    lifetime().require("sendCq");
    return init().sendCq();
  }

  @Override
  default @Nullable CompletionQueue recvCq() {
    lifetime().require("recvCq");
    return init().recvCq();
  }

  @Override
  default @Nullable SharedReceiveQueue srq() {
    lifetime().require("srq");
    return init().srq();
  }

  @Override
  default @Nullable Object qpContext() {
    lifetime().require("qpContext");
    return init().qpContext();
  }

  @Override
  default QpInitAttr queryInit() {
    lifetime().require("queryQp");
    return init().copy();
  }

  @Override
  default QueuePairEx toQpEx() {
    lifetime().require("toQpEx");
    throw new VerbsException(
        "toQpEx",
        Errno.EINVAL,
        lifetime().name() + " was created without send operations: QpInitAttr.sendOps(...)");
  }

  @Override
  default void destroy() {
    lifetime().destroy();
  }
}
