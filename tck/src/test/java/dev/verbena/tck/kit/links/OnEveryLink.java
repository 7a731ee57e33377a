package dev.verbena.tck.kit.links;

import dev.verbena.verbs.LinkLayer;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ArgumentsSource;

/** A test with a {@link TckLink} parameter, run once on each selected link. */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@ParameterizedTest(name = "{0}", allowZeroInvocations = true)
@ArgumentsSource(LinkArguments.class)
@ExtendWith(SeedReport.class)
public @interface OnEveryLink {
  /** Link layers of its devices; the test does not run if no selected link has one of them. */
  LinkLayer[] of() default {LinkLayer.ETHERNET, LinkLayer.INFINIBAND};
}
