package dev.verbena.soft.sim;

import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_void;

import dev.verbena.verbs.WorkCompletion;
import dev.verbena.wire.Operation;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.function.Consumer;

/** Method bodies with a mistake. */
final class Bodies {
  private static final String TRANSPORT = Mutation.PACKAGE + "transport";
  private static final String RESPONDING = TRANSPORT + ".responder";
  private static final ClassDesc RESPONDER = ClassDesc.of(RESPONDING, "Responder");
  private static final ClassDesc EXECUTOR = ClassDesc.of(RESPONDING, "RequestExecutor");
  private static final ClassDesc RECV_STATE = ClassDesc.of(RESPONDING, "RecvState");
  private static final ClassDesc SEND_STATE = ClassDesc.of(TRANSPORT + ".requester", "SendState");
  private static final ClassDesc CHUNK = ClassDesc.of(TRANSPORT, "Chunk");
  private static final ClassDesc VERDICT = ClassDesc.of(RESPONDING, "Verdict");
  private static final ClassDesc SOURCE = ClassDesc.of(Mutation.PACKAGE + "queue", "ReceiveSource");
  private static final String MEMORY = Mutation.PACKAGE + "memory";
  private static final ClassDesc REGION = ClassDesc.of(MEMORY, "Region");
  private static final ClassDesc WINDOW = ClassDesc.of(MEMORY, "Window");
  private static final ClassDesc DOMAIN = ClassDesc.of(MEMORY, "Domain");
  private static final ClassDesc FAULT = ClassDesc.of(MEMORY, "AccessFault");
  private static final ClassDesc BURDEN = Burden.class.describeConstable().orElseThrow();
  private static final ClassDesc OPERATION = Operation.class.describeConstable().orElseThrow();
  private static final ClassDesc COMPLETION =
      WorkCompletion.class.describeConstable().orElseThrow();
  private static final MethodTypeDesc REPORTS = MethodTypeDesc.of(CD_void, COMPLETION, CD_long);
  private static final MethodTypeDesc ASKS = MethodTypeDesc.of(CD_boolean);

  /** Returns true. */
  static CodeTransform yes() {
    return instead(Bodies::returnYes);
  }

  /** Returns false. */
  static CodeTransform no() {
    return instead(code -> code.iconst_0().ireturn());
  }

  /** Does nothing. */
  static CodeTransform nothing() {
    return instead(CodeBuilder::return_);
  }

  /** Does nothing, and returns null. */
  static CodeTransform nothingFound() {
    return instead(code -> code.aconst_null().areturn());
  }

  /** Does nothing, and returns no fault. */
  static CodeTransform noFault() {
    return instead(Bodies::returnNoFault);
  }

  /** First executes the chunk, its first parameter. */
  static CodeTransform executesChunk() {
    return first(
        code ->
            code.aload(0)
                .getfield(RESPONDER, "executor", EXECUTOR)
                .aload(code.parameterSlot(0))
                .invokevirtual(EXECUTOR, "execute", MethodTypeDesc.of(VERDICT, CHUNK))
                .pop());
  }

  /** Reports the request whose number is its second parameter again, if something was resent. */
  static CodeTransform reportsAgain() {
    return last(
        code ->
            code.aload(0)
                .getfield(SEND_STATE, "retrying", CD_boolean)
                .ifThen(
                    again ->
                        again
                            .aload(0)
                            .aload(0)
                            .getfield(SEND_STATE, "success", COMPLETION)
                            .lload(code.parameterSlot(1))
                            .invokevirtual(SEND_STATE, "report", REPORTS)));
  }

  /** Stops one before its first parameter, a long value. */
  static CodeTransform stopsOneEarlier() {
    return first(
        code -> code.lload(code.parameterSlot(0)).lconst_1().lsub().lstore(code.parameterSlot(0)));
  }

  /** Uses 0 for its second parameter, a long. */
  static CodeTransform takesSecondLongForZero() {
    return first(code -> code.lconst_0().lstore(code.parameterSlot(1)));
  }

  /** Uses 0 for its second parameter, an int. */
  static CodeTransform takesSecondIntForZero() {
    return first(code -> code.iconst_0().istore(code.parameterSlot(1)));
  }

  /** If the parameter with this index is true, does nothing and returns no fault. */
  static CodeTransform noFaultIf(int parameter) {
    return first(code -> code.iload(code.parameterSlot(parameter)).ifThen(Bodies::returnNoFault));
  }

  /** Returns true if the chunk, its first parameter, is a FLUSH. */
  static CodeTransform yesForFlush() {
    return first(
        code ->
            code.aload(code.parameterSlot(0))
                .getfield(CHUNK, "operation", OPERATION)
                .getstatic(OPERATION, "FLUSH", OPERATION)
                .ifThen(Opcode.IF_ACMPEQ, Bodies::returnYes));
  }

  /** First does what this method of {@link Burden} does. */
  static CodeTransform burdened(String by) {
    return first(code -> code.invokestatic(BURDEN, by, MethodTypeDesc.of(CD_void)));
  }

  /** First reads a field that a chunk does not have. */
  static CodeTransform readsNoField() {
    return first(
        code -> code.aload(code.parameterSlot(0)).getfield(CHUNK, "isForgotten", CD_boolean).pop());
  }

  /** First releases the receive, if it is from a shared queue. */
  static CodeTransform releasesSharedReceive() {
    return first(
        code ->
            code.aload(0)
                .getfield(RECV_STATE, "source", SOURCE)
                .invokeinterface(SOURCE, "isShared", ASKS)
                .ifThen(
                    shared ->
                        shared
                            .aload(0)
                            .getfield(RECV_STATE, "source", SOURCE)
                            .invokeinterface(SOURCE, "release", MethodTypeDesc.of(CD_void))));
  }

  /** Checks a remote access as a local one. */
  static CodeTransform checksAsLocal() {
    MethodTypeDesc check = MethodTypeDesc.of(FAULT, DOMAIN, CD_int, CD_long, CD_long);
    return instead(
        code ->
            code.aload(0)
                .aload(code.parameterSlot(0))
                .iload(code.parameterSlot(2))
                .lload(code.parameterSlot(3))
                .lload(code.parameterSlot(4))
                .invokevirtual(REGION, "check", check)
                .areturn());
  }

  /** Returns the binding of a window, whatever the key. */
  static CodeTransform returnsBinding() {
    return instead(code -> code.aload(0).getfield(WINDOW, "bound", REGION).areturn());
  }

  /** The unchanged body. */
  static CodeTransform same() {
    return CodeTransform.ACCEPT_ALL;
  }

  private static void returnYes(CodeBuilder code) {
    code.iconst_1().ireturn();
  }

  private static void returnNoFault(CodeBuilder code) {
    code.getstatic(FAULT, "NONE", FAULT).areturn();
  }

  private static CodeTransform instead(Consumer<CodeBuilder> body) {
    return new CodeTransform() {
      @Override
      public void atStart(CodeBuilder code) {
        body.accept(code);
      }

      @Override
      public void accept(CodeBuilder code, CodeElement old) {}
    };
  }

  private static CodeTransform first(Consumer<CodeBuilder> more) {
    return new CodeTransform() {
      @Override
      public void atStart(CodeBuilder code) {
        more.accept(code);
      }

      @Override
      public void accept(CodeBuilder code, CodeElement old) {
        code.with(old);
      }
    };
  }

  private static CodeTransform last(Consumer<CodeBuilder> more) {
    return (code, old) -> {
      if (old instanceof ReturnInstruction) {
        more.accept(code);
      }
      code.with(old);
    };
  }

  private Bodies() {}
}
