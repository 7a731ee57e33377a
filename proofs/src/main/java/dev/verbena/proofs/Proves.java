package dev.verbena.proofs;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Names the requirements and rules that a test proves: it would fail if one of them were broken.
 *
 * <p>On a class it applies to each of the class's test methods. An ID counts as proven by a test
 * method only if every invocation of it (each parameter value, repetition and dynamic test) ran and
 * passed in this build. A failing test prints these rules.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
@ExtendWith(RuleReport.class)
public @interface Proves {

  /** IDs of the requirement list, such as {@code "WR-033"} or {@code "S12.4.1"}. */
  String[] value();
}
