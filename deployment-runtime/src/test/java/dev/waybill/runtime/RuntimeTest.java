package dev.waybill.runtime;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.junit.jupiter.api.Timeout;

import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;

/** The whole runtime with one application; the same surroundings for every such test, so it starts once. */
@QuarkusTest
@WithTestResource(RuntimeSettings.class)
// A stream that never ends would otherwise be waited for for ever.
@Timeout(180)
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface RuntimeTest {
}
