package dev.waybill.runtime;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.junit.jupiter.api.Timeout;

import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;

/** Tests of the whole runtime; all share one configuration, so that it is started once. */
@QuarkusTest
@WithTestResource(RuntimeSettings.class)
// A stream without an end would block forever.
@Timeout(180)
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface RuntimeTest {
}
