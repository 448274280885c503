package dev.waybill.runtime.access;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import dev.waybill.runtime.access.ControlPlaneKeyVerifier.Principal;
import dev.waybill.runtime.storage.Owner;
import io.vertx.core.json.JsonObject;

class ThreadOwnerTest {

    @Test
    void keysOfAWorkspaceShareItsThreads() {
        Principal principal = Principal.from(new JsonObject().put("tenant_id", "fe096781-5601-53d2-b2f6-0d3403f7e9ca"));

        assertThat(ThreadOwner.of(principal.name())).isEqualTo(new Owner("workspace:fe096781-5601-53d2-b2f6-0d3403f7e9ca"));
    }

    @Test
    void callersWithoutWorkspaceShareOneOwner() {
        assertThat(ThreadOwner.of("key:0123")).isEqualTo(ThreadOwner.of("local")).isEqualTo(new Owner("local"));
    }
}
