package dev.waybill.controlplane;

import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.CommittedDescription;
import io.quarkus.test.junit.QuarkusTest;

@QuarkusTest
class OpenApiDescriptionTest {

    @Test
    void theCommittedDescriptionIsCurrent() {
        CommittedDescription.of("control-plane").assertIs(Client.anonymous().get("/q/openapi").body());
    }
}
