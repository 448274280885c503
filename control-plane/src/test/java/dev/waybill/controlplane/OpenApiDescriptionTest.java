package dev.waybill.controlplane;

import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.CommittedDescription;
import dev.waybill.common.testing.Management;
import io.quarkus.test.junit.QuarkusTest;

@QuarkusTest
class OpenApiDescriptionTest {

    @Test
    void committedDescriptionIsCurrent() {
        CommittedDescription.of("control-plane").assertIs(Management.get("/q/openapi"));
    }
}
