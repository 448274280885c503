package dev.waybill.controlplane.account;

import static dev.waybill.controlplane.ApiClient.as;
import static dev.waybill.controlplane.ApiClient.operator;
import static dev.waybill.controlplane.ApiClient.withKey;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;

import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import dev.waybill.common.testing.LogLines;
import dev.waybill.controlplane.DatabaseInspector;
import dev.waybill.controlplane.HttpResult;
import io.quarkus.test.junit.QuarkusTest;

/** Threat T9: API keys do not appear in the database, the logs or later responses. */
@QuarkusTest
class ApiKeyLeakTest {

    @Test
    void keyIsReturnedOnceAndStoredNowhere() {
        // Given
        Account admin = Accounts.account().organizationWide().create();
        try (LogLines log = LogLines.listen()) {
            String idempotencyKey = UUID.randomUUID().toString();

            // When
            HttpResult created = as(admin).header("Idempotency-Key", idempotencyKey).post("/v1/api-keys",
                    "{\"name\": \"canary\"}");
            String key = created.text("key");
            String first = operator().post("/v1/organizations", "{\"name\": \"canary\"}").text("key");
            List<String> later = List.of(
                    withKey(key).get("/v1/whoami").body(),
                    as(admin).get("/v1/api-keys").body(),
                    withKey(key).get("/v1/api-keys").body(),
                    withKey(key + "x").get("/v1/whoami").body(),
                    withKey(key).post("/v1/workspaces", "{\"name\": ").body(),
                    withKey(first).get("/v1/api-keys").body(),
                    as(admin).delete("/v1/api-keys/" + created.id()).body());

            // Then
            for (String secret : List.of(key, first)) {
                String inHex = HexFormat.of().formatHex(secret.getBytes(StandardCharsets.US_ASCII));
                assertThat(later).noneMatch(response -> response.contains(secret.substring(12)));
                assertThat(DatabaseInspector.everything("account")).isNotEmpty()
                        .noneMatch(row -> row.contains(secret.substring(12)) || row.contains(inHex));
                assertThat(log.lines()).isNotEmpty().noneMatch(line -> line.contains(secret.substring(12)));
            }
        }
    }
}
