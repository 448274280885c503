package dev.waybill.controlplane.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

import jakarta.inject.Inject;

import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.waybill.common.database.Database;
import dev.waybill.common.testing.Account;
import dev.waybill.controlplane.DatabaseInspector;
import dev.waybill.controlplane.engine.InMemoryEngine;
import dev.waybill.controlplane.engine.ThreadSettings;
import dev.waybill.controlplane.revision.NewRevision;
import io.quarkus.test.junit.QuarkusTest;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;

/** Transactions that create the role of a deployment, interrupted before each of their statements and before their commit. */
@QuarkusTest
@Tag("full")
class InterruptedRoleCreationTest {

    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final int MIN_STATEMENTS = 6;

    private final Account account = Deployments.account();

    @Inject
    Database database;

    @Inject
    DeploymentRepository repository;

    @Inject
    RevisionCreator creator;

    @Inject
    InMemoryEngine engine;

    @ConfigProperty(name = "quarkus.datasource.jdbc.url")
    String url;

    @BeforeEach
    void configureThreads() {
        engine.configure(Map.of("waybill.runtime.threads.database.url", "postgresql://database.example:5432/waybill"));
    }

    @AfterEach
    void configureNothing() {
        engine.configure(Map.of());
    }

    @Test
    void interruptedCreationOfADeploymentLeavesNothing() throws SQLException {
        UUID other = Deployments.deployed(account, Deployments.newName()).id();
        UUID id = UUID.randomUUID();
        String name = Deployments.newName();

        int interrupted = interruptBeforeEachStatement(
                connection -> revision(connection, other, id)
                        .chain(revision -> creator.createFirst(connection, name, revision)),
                () -> {
                    assertThat(roles(id)).isZero();
                    assertThat(DatabaseInspector.count("SELECT count(*) FROM deploy.deployments WHERE id = '" + id + "'"))
                            .isZero();
                });

        assertThat(interrupted).isGreaterThan(MIN_STATEMENTS);
        assertThatRoleCanLogIn(id);
    }

    @Test
    void interruptedRevisionLeavesNoRoleWithoutItsPassword() throws SQLException {
        UUID id = Deployments.deployed(account, Deployments.newName()).id();
        DatabaseInspector.update("DROP ROLE \"waybill_app_" + id + "\"");
        DatabaseInspector.update("UPDATE deploy.deployments SET platform_secrets = NULL WHERE id = '" + id + "'");

        int interrupted = interruptBeforeEachStatement(
                connection -> revision(connection, id, id).chain(revision -> creator.create(connection, revision))
                        .replaceWithVoid(),
                () -> {
                    assertThat(roles(id)).isZero();
                    assertThat(DatabaseInspector.count("SELECT count(*) FROM deploy.deployments WHERE id = '" + id
                            + "' AND platform_secrets IS NULL")).isOne();
                });

        assertThat(interrupted).isGreaterThan(MIN_STATEMENTS);
        assertThatRoleCanLogIn(id);
    }

    /** Repeats a transaction until it is not interrupted any more; returns the number of interruptions. */
    private int interruptBeforeEachStatement(Function<SqlConnection, Uni<Void>> work, Runnable check) {
        for (int survived = 0;; survived++) {
            if (!isInterrupted(survived, work)) {
                return survived;
            }
            check.run();
        }
    }

    private boolean isInterrupted(int survived, Function<SqlConnection, Uni<Void>> work) {
        AtomicReference<InterruptedConnection> used = new AtomicReference<>();
        try {
            database.inWorkspace(account.workspaceId(), connection -> {
                InterruptedConnection interrupted = new InterruptedConnection(connection, survived);
                used.set(interrupted);
                return work.apply(interrupted.connection()).invoke(interrupted::beforeStatement);
            }).await().atMost(TIMEOUT);
        } catch (RuntimeException e) {
            assertThat(used.get().isEnded()).as(e.toString()).isTrue();
        }
        return used.get().isEnded();
    }

    /** Returns a revision with the source of another deployment. */
    private Uni<NewRevision> revision(SqlConnection connection, UUID other, UUID id) {
        return repository.require(connection, account.workspaceId(), other)
                .map(like -> new NewRevision(account.workspaceId(), id, like.specification().source(),
                        like.specification().deploymentSource().withCustomUrl(null), like.specification().revisionSource(),
                        Map.of()));
    }

    private static long roles(UUID deployment) {
        return DatabaseInspector.count("SELECT count(*) FROM pg_roles WHERE rolname = 'waybill_app_" + deployment + "'");
    }

    private void assertThatRoleCanLogIn(UUID id) throws SQLException {
        UUID latest = UUID.fromString(Deployments.get(account, id).text("latest_revision_id"));
        Deployments.awaitStatus(account, id, latest, "DEPLOYED");
        String password = engine.plan(latest).environment().get(ThreadSettings.PASSWORD_VARIABLE);
        DriverManager.getConnection(url, "waybill_app_" + id, password).close();
    }
}
