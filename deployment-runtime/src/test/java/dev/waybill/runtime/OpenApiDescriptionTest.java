package dev.waybill.runtime;

import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.CommittedDescription;
import dev.waybill.common.testing.Management;

@RuntimeTest
class OpenApiDescriptionTest {

    @Test
    void committedDescriptionIsCurrent() {
        CommittedDescription.of("deployment-runtime").assertIs(Management.get("/q/openapi"));
    }
}
