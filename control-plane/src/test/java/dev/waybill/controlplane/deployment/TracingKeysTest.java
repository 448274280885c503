package dev.waybill.controlplane.deployment;

import static dev.waybill.controlplane.ApiClient.as;
import static dev.waybill.controlplane.ApiClient.withKey;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

import jakarta.inject.Inject;

import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Patience;
import dev.waybill.controlplane.DatabaseInspector;
import dev.waybill.controlplane.HttpResult;
import dev.waybill.controlplane.engine.InMemoryEngine;
import io.quarkus.test.junit.QuarkusTest;

/** Threat T18, docs/decisions/0088: the key of a deployment is valid for tracing into its workspace only. */
@QuarkusTest
class TracingKeysTest {

    private final Account account = Deployments.account();

    @Inject
    InMemoryEngine engine;

    @Test
    void deploymentHasKeyOfItsWorkspace() {
        // Given
        Account other = Deployments.account();

        // When
        HttpResult one = Deployments.deployed(account, Deployments.newName());
        HttpResult two = Deployments.deployed(account, Deployments.newName());
        HttpResult elsewhere = Deployments.deployed(other, Deployments.newName());

        // Then
        assertThat(Stream.of(one, two, elsewhere).map(this::key).distinct()).hasSize(3);
        assertThat(workspaceOf(one)).isEqualTo(account.workspaceId());
        assertThat(workspaceOf(two)).isEqualTo(account.workspaceId());
        assertThat(workspaceOf(elsewhere)).isEqualTo(other.workspaceId());
    }

    @Test
    void laterRevisionsHaveSameKeyBesideSecrets() {
        // Given
        HttpResult created = Deployments.deployed(account, Deployments.newName());

        // When
        HttpResult changed = as(account).patch(Deployments.PATH + "/" + created.id(),
                "{\"secrets\": [{\"name\": \"TOKEN\", \"value\": \"of the application\"}]}");
        Deployments.awaitStatus(account, created.id(), Deployments.latest(changed), "DEPLOYED");

        // Then
        assertThat(engine.plan(Deployments.latest(changed)).environment())
                .containsOnlyKeys("TOKEN", "WAYBILL_TRACING_KEY")
                .containsEntry("WAYBILL_TRACING_KEY", key(created));
        assertThat(changed.list("secrets.name", String.class)).containsExactly("TOKEN");
    }

    @Test
    void olderDeploymentGetsKeyWithNextRevision() {
        // Given
        UUID id = Deployments.deployed(account, Deployments.newName()).id();
        DatabaseInspector.update("DELETE FROM account.api_keys WHERE deployment_id = '" + id + "'");
        DatabaseInspector.update("UPDATE deploy.deployments SET platform_secrets = NULL WHERE id = '" + id + "'");

        // When
        UUID next = Deployments.change(account, id, "next");
        Deployments.awaitStatus(account, id, next, "DEPLOYED");

        // Then
        assertThat(engine.plan(next).environment()).containsKey("WAYBILL_TRACING_KEY");
        assertThat(live(id)).isEqualTo(1);
    }

    @Test
    void keyIsRejectedByControlPlane() {
        // Given
        HttpResult created = Deployments.deployed(account, Deployments.newName());
        String key = key(created);

        // When, then
        assertThat(List.of(withKey(key).get("/v1/whoami").status(),
                withKey(key).get(Deployments.PATH).status(),
                withKey(key).get(Deployments.PATH + "/" + created.id()).status(),
                withKey(key).delete(Deployments.PATH + "/" + created.id()).status(),
                withKey(key).get("/v1/integrations/repohost/install").status(),
                withKey(key).post("/v1/api-keys", "{\"name\": \"more\", \"role\": \"admin\"}").status())).containsOnly(403);
    }

    @Test
    void keyIsNeverReturnedAndStoredEncrypted() {
        // Given
        HttpResult created = Deployments.deployed(account, Deployments.newName());
        String key = key(created);
        String secret = key.substring("wb_01234567_".length());

        // When
        List<String> responses = List.of(created.body(), Deployments.get(account, created.id()).body(),
                as(account).get(Deployments.revision(created.id(), Deployments.latest(created))).body(),
                as(account).get(Deployments.revision(created.id(), Deployments.latest(created)) + "/logs").body());
        List<String> keys = as(account).get("/v1/api-keys").list("resources.id", String.class);

        // Then
        assertThat(responses).noneMatch(response -> response.contains(key.substring(0, 11)));
        assertThat(keys).containsExactly(account.apiKeyId().toString());
        String bytes = HexFormat.of().formatHex(secret.getBytes(StandardCharsets.US_ASCII));
        assertThat(Stream.of("account", "deploy").flatMap(schema -> DatabaseInspector.everything(schema).stream()))
                .noneMatch(row -> row.contains(secret) || row.contains(bytes));
    }

    @Test
    void keyIsRevokedOnlyWithItsDeployment() {
        // Given
        HttpResult created = Deployments.deployed(account, Deployments.newName());
        String id = DatabaseInspector.text("SELECT id FROM account.api_keys WHERE deployment_id = '" + created.id() + "'");

        // When
        HttpResult revoked = as(account).delete("/v1/api-keys/" + id);
        long before = live(created.id());
        as(account).delete(Deployments.PATH + "/" + created.id());

        // Then
        assertThat(revoked.status()).isEqualTo(404);
        assertThat(before).isEqualTo(1);
        assertThat(live(created.id())).isZero();
    }

    @Test
    void keyIsDeletedWithItsDeployment() {
        // Given
        UUID id = Deployments.deployed(account, Deployments.newName()).id();

        // When
        as(account).delete(Deployments.PATH + "/" + id);

        // Then
        Patience.await().untilAsserted(() -> assertThat(
                DatabaseInspector.count("SELECT count(*) FROM account.api_keys WHERE deployment_id = '" + id + "'")).isZero());
    }

    private String key(HttpResult deployment) {
        return engine.plan(Deployments.latest(deployment)).environment().get("WAYBILL_TRACING_KEY");
    }

    private UUID workspaceOf(HttpResult deployment) {
        return UUID.fromString(
                DatabaseInspector.text("SELECT workspace_id FROM account.api_keys WHERE revoked_at IS NULL AND prefix = '"
                        + key(deployment).substring(0, 11) + "' AND role = 'application' AND deployment_id = '"
                        + deployment.id()
                        + "'"));
    }

    private static long live(UUID deploymentId) {
        return DatabaseInspector.count("SELECT count(*) FROM account.api_keys WHERE revoked_at IS NULL AND deployment_id = '"
                + deploymentId + "'");
    }
}
