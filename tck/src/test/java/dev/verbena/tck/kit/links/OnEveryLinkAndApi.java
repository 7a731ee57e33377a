package dev.verbena.tck.kit.links;

import dev.verbena.verbs.LinkLayer;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ArgumentsSource;

/**
 * A test with a {@link TckLink} and a {@link PostingApi} parameter, run on each selected link with
 * each posting API.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@ParameterizedTest(name = "{0}, {1}", allowZeroInvocations = true)
@ArgumentsSource(LinkAndApiArguments.class)
@ExtendWith(SeedReport.class)
public @interface OnEveryLinkAndApi {
  /** Link layers of its devices; the test does not run if no selected link has one of them. */
  LinkLayer[] of() default {LinkLayer.ETHERNET, LinkLayer.INFINIBAND};
}
