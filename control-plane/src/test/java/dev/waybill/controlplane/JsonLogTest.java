package dev.waybill.controlplane;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.UUID;

import org.junit.jupiter.api.Test;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.JsonLog;
import dev.waybill.common.testing.Patience;
import dev.waybill.controlplane.deployment.Deployments;
import io.quarkus.test.junit.QuarkusTest;

/** The JSON log format (docs/operations/observability.md "Logs"). */
@QuarkusTest
class JsonLogTest {

    @Test
    void logLinesOfRevisionHaveItsId() {
        // Given
        Account account = Deployments.account();

        // When
        HttpResult created = Deployments.deployed(account, Deployments.newName());

        // Then
        UUID revision = Deployments.latest(created);
        Patience.await().until(() -> moves(revision).stream()
                .anyMatch(line -> line.path("message").asText().contains("status=DEPLOYED")));
        assertThat(moves(revision)).hasSizeGreaterThan(1).allSatisfy(line -> {
            assertThat(line.at("/mdc/revision_id").textValue()).isEqualTo(revision.toString());
            assertThat(line.at("/mdc/deployment_id").textValue()).isEqualTo(created.id().toString());
            assertThat(line.at("/mdc/tenant_id").textValue()).isEqualTo(account.workspaceId().toString());
        });
        assertThat(JsonLog.text()).doesNotContain(account.key(), ControlPlaneSettings.OPERATOR_KEY);
    }

    private static List<JsonNode> moves(UUID revision) {
        return JsonLog.linesWith(revision.toString()).stream()
                .filter(line -> line.path("message").asText().startsWith("a revision moved"))
                .toList();
    }
}
