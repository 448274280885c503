package dev.waybill.controlplane.deployment;

import static dev.waybill.controlplane.ApiClient.as;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;

import jakarta.inject.Inject;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import dev.waybill.common.api.deployment.DeploymentSource;
import dev.waybill.common.api.deployment.RevisionSource;
import dev.waybill.common.api.deployment.SourceKind;
import dev.waybill.common.database.Database;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.testing.Account;
import dev.waybill.controlplane.DatabaseInspector;
import dev.waybill.controlplane.HttpResult;
import dev.waybill.controlplane.revision.NewRevision;
import io.quarkus.test.junit.QuarkusTest;

/** Unique custom URLs (contract.md "Decided on 2026-11-23"). */
@QuarkusTest
class CustomUrlUniquenessTest {

    private final String host = "a" + UUID.randomUUID() + ".example.com";

    @Inject
    Database database;

    @Inject
    DeploymentRepository repository;

    @Test
    void oneOfConcurrentDeploymentsGetsCustomUrl() throws Exception {
        // When
        List<@Nullable ProblemException> rejections;
        try (ExecutorService callers = Executors.newFixedThreadPool(8)) {
            rejections = callers
                    .invokeAll(Stream.of("https://" + host, "http://" + host + "/", "https://" + host.toUpperCase(Locale.ROOT),
                            "https://" + host + ":8443", "https://" + host, "https://" + host)
                            .map(url -> (Callable<@Nullable ProblemException>) () -> insert(Deployments.account(), url))
                            .toList())
                    .stream().map(Future::resultNow).toList();
        }

        // Then
        assertThat(rejections).filteredOn(rejection -> rejection == null).hasSize(1);
        assertThat(rejections).filteredOn(rejection -> rejection != null).allSatisfy(rejection -> {
            assertThat(rejection.type().status()).isEqualTo(422);
            assertThat(rejection.violations()).singleElement()
                    .satisfies(violation -> assertThat(violation.path()).isEqualTo("source_config.custom_url"));
        });
    }

    @Test
    void customUrlOfDeletedDeploymentIsFree() {
        // Given
        assertThat(insert(Deployments.account(), "https://" + host)).isNull();
        DatabaseInspector.update("UPDATE deploy.deployments SET deleted_at = now() WHERE custom_address = '" + host + "'");

        // When, Then
        assertThat(insert(Deployments.account(), "https://" + host)).isNull();
        assertThat(insert(Deployments.account(), "https://" + host)).isNotNull();
    }

    @Test
    void migrationKeepsSharedCustomUrlOfOldestDeployment() throws IOException {
        // Given: rows as the previous release stored them
        UUID oldest = Deployments.create(Deployments.account(), Deployments.newName()).id();
        UUID later = Deployments.create(Deployments.account(), Deployments.newName()).id();
        DatabaseInspector
                .update("UPDATE deploy.deployments SET source_config = source_config || '{\"custom_url\": \"https://" + host
                        + ":443/\"}' WHERE id IN ('" + oldest + "', '" + later + "')");

        // When
        DatabaseInspector.update(migration());

        // Then
        assertThat(DatabaseInspector.text("SELECT id FROM deploy.deployments WHERE custom_address = '" + host + "'"))
                .isEqualTo(oldest.toString());
        assertThat(insert(Deployments.account(), "http://" + host)).isNotNull();
    }

    private static String migration() throws IOException {
        try (InputStream sql = Objects.requireNonNull(CustomUrlUniquenessTest.class
                .getResourceAsStream("/db/control-plane/V202611230650__custom_addresses_are_unique.sql"))) {
            String text = new String(sql.readAllBytes(), StandardCharsets.UTF_8);
            return text.substring(text.indexOf("UPDATE deploy"), text.lastIndexOf("SELECT set_config"));
        }
    }

    @Test
    void customUrlsWithOtherPathsAreDistinct() {
        assertThat(insert(Deployments.account(), "https://" + host + "/one")).isNull();
        assertThat(insert(Deployments.account(), "https://" + host + "/two")).isNull();
    }

    @Test
    void localEngineRejectsCustomUrls() {
        // Given
        Account account = Deployments.account();
        HttpResult present = Deployments.create(account, Deployments.newName());

        // When
        HttpResult created = as(account).post(Deployments.PATH, """
                {"name": "%s", "source": "repohost", "source_config": {"repo_url": "%s", "custom_url": "https://%s"},
                 "source_revision_config": {"repo_ref": "main"}}""".formatted(Deployments.newName(), Deployments.REPOSITORY,
                host));
        HttpResult changed = as(account).patch(Deployments.PATH + "/" + present.id(),
                "{\"source_config\": {\"custom_url\": \"https://" + host + "\"}}");
        HttpResult repeated = as(account).patch(Deployments.PATH + "/" + present.id(),
                "{\"source_config\": {\"custom_url\": \"" + present.text("url") + "\"}}");

        // Then
        assertThat(List.of(created, changed)).allSatisfy(rejected -> {
            assertThat(rejected.status()).isEqualTo(422);
            assertThat(rejected.detail()).isEqualTo("source_config.custom_url requires the engine kubernetes; remove it.");
        });
        assertThat(repeated.status()).isEqualTo(200);
    }

    private @Nullable ProblemException insert(Account account, String url) {
        DeploymentSource source = new DeploymentSource(null, Deployments.REPOSITORY, null, null, url, null, null, null);
        NewRevision made = new NewRevision(account.workspaceId(), UUID.randomUUID(),
                SourceKind.REPOHOST, source, new RevisionSource("main", null, null, null), Map.of());
        return database
                .inWorkspace(account.workspaceId(), connection -> repository.insert(connection, Deployments.newName(), made))
                .map(inserted -> (ProblemException) null)
                .onFailure(ProblemException.class).recoverWithItem(failure -> (ProblemException) failure)
                .await().atMost(Duration.ofMinutes(2));
    }
}
