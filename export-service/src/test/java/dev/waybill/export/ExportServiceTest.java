package dev.waybill.export;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import dev.waybill.common.testing.PostgresResource;
import dev.waybill.common.testing.S3Resource;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;

/** Starts the complete service with a real database and bucket. All tests share one configuration, so it starts once. */
@QuarkusTest
@WithTestResource(value = PostgresResource.class, initArgs = {
        @ResourceArg(name = "role", value = "waybill_export"),
        @ResourceArg(name = "migrated", value = "control-plane,experiment-service") })
@WithTestResource(S3Resource.class)
@WithTestResource(ExportSettings.class)
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface ExportServiceTest {
}
