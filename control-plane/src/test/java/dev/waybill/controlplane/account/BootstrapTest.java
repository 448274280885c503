package dev.waybill.controlplane.account;

import static dev.waybill.controlplane.ApiClient.withKey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collections;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import jakarta.inject.Inject;

import org.junit.jupiter.api.Test;

import dev.waybill.common.api.account.Plan;
import dev.waybill.controlplane.ControlPlaneSettings;
import dev.waybill.controlplane.DatabaseInspector;
import dev.waybill.controlplane.HttpResult;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.vertx.VertxContextSupport;

@QuarkusTest
class BootstrapTest {

    @Inject
    BootstrapService bootstrap;

    @Test
    void bootstrapKeyIsAdminOfItsWorkspace() {
        // When
        HttpResult whoami = withKey(ControlPlaneSettings.BOOTSTRAP_KEY).get("/v1/whoami");

        // Then
        assertThat(whoami.text("tenant_id")).isEqualTo(ControlPlaneSettings.BOOTSTRAP_WORKSPACE);
        assertThat(whoami.text("organization_id")).isEqualTo(ControlPlaneSettings.BOOTSTRAP_ORGANIZATION);
        assertThat(whoami.text("plan")).isEqualTo("enterprise");
        assertThat(whoami.text("role")).isEqualTo("admin");
    }

    @Test
    void organizationBootstrapKeyIsAdminOfOrganization() {
        // When
        HttpResult whoami = withKey(ControlPlaneSettings.BOOTSTRAP_ORGANIZATION_KEY).get("/v1/whoami");

        // Then
        assertThat(whoami.text("organization_id")).isEqualTo(ControlPlaneSettings.BOOTSTRAP_ORGANIZATION);
        assertThat(whoami.value("tenant_id")).isNull();
    }

    @Test
    void concurrentReplicasCreateAccountsOnce() throws Exception {
        // Given
        String name = "Replicated " + UUID.randomUUID();
        Settings settings = Settings.of(name, "wb_" + name.substring(name.length() - 8) + "_" + "r".repeat(43));
        Callable<Void> start = () -> run(settings);

        // When
        try (ExecutorService replicas = Executors.newFixedThreadPool(6)) {
            replicas.invokeAll(Collections.nCopies(6, start)).forEach(started -> started.resultNow());
        }

        // Then
        assertThat(DatabaseInspector.count("""
                SELECT count(*) FROM account.organizations o JOIN account.workspaces w ON w.organization_id = o.id
                JOIN account.api_keys k ON k.workspace_id = w.id WHERE o.name = '%s'
                """.formatted(name))).isEqualTo(1);
        assertThat(DatabaseInspector.count("SELECT count(*) FROM account.organizations WHERE name = '%s'".formatted(name)))
                .isEqualTo(1);
    }

    @Test
    void existingKeyOfOtherOwnerFailsStartup() {
        // Given
        Settings settings = Settings.of("Thief", ControlPlaneSettings.BOOTSTRAP_KEY);

        // Then
        assertThatThrownBy(() -> run(settings)).hasMessageContaining("waybill.bootstrap.api-key")
                .hasMessageNotContaining(ControlPlaneSettings.BOOTSTRAP_KEY);
    }

    @Test
    void malformedKeyIsRejectedWithoutBeingLogged() {
        // Given
        Settings settings = Settings.of("Sloppy", "my-secret-key");

        // Then
        assertThatThrownBy(() -> run(settings)).hasMessageContaining("must have the form wb_")
                .hasMessageNotContaining("my-secret-key");
    }

    private Void run(BootstrapConfig settings) throws Exception {
        try {
            return VertxContextSupport.subscribeAndAwait(() -> bootstrap.bootstrap(settings));
        } catch (Exception | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    private record Settings(String organization, Optional<UUID> organizationId, Plan plan, String workspace,
            Optional<UUID> workspaceId, Optional<String> apiKey, Optional<String> organizationApiKey)
            implements
                BootstrapConfig {

        static Settings of(String organization, String apiKey) {
            return new Settings(organization, Optional.empty(), Plan.PLUS, "First", Optional.empty(), Optional.of(apiKey),
                    Optional.empty());
        }
    }
}
