package dev.waybill.controlplane.audit;

import static dev.waybill.controlplane.ApiClient.as;
import static dev.waybill.controlplane.audit.AuditEvents.PATH;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;

@QuarkusTest
@TestProfile(ForwardedAddressTest.BehindProxy.class)
@Tag("full")
class ForwardedAddressTest {

    private final Account admin = Accounts.account().create();

    public static final class BehindProxy implements QuarkusTestProfile {

        @Override
        public Map<String, String> getConfigOverrides() {
            return Map.of("quarkus.http.proxy.proxy-address-forwarding", "true",
                    "quarkus.http.proxy.trusted-proxies", "127.0.0.1");
        }
    }

    @Test
    void addressForwardedByTrustedProxyIsRecorded() {
        // When
        as(admin).header("X-Forwarded-For", "203.0.113.7").post("/v1/api-keys", "{}");
        as(admin).header("X-Forwarded-For", "unknown<x>").post("/v1/api-keys", "{}");

        // Then
        assertThat(as(admin).get(PATH).list("items.client_address", String.class)).containsExactly(null, "203.0.113.7");
    }
}
