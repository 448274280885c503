package dev.waybill.controlplane.thread;

import static dev.waybill.controlplane.ApiClient.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import jakarta.inject.Inject;

import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Patience;
import dev.waybill.common.testing.TestDatabase;
import dev.waybill.controlplane.DatabaseInspector;
import dev.waybill.controlplane.HttpResult;
import dev.waybill.controlplane.deployment.Deployments;
import dev.waybill.controlplane.engine.Engine.Outcome;
import dev.waybill.controlplane.engine.InMemoryEngine;
import dev.waybill.controlplane.engine.ThreadSettings;
import io.quarkus.test.junit.QuarkusTest;
import io.smallrye.mutiny.Uni;

/** Roles of deployments, docs/decisions/0175: each sees its own threads only. */
@QuarkusTest
class ThreadRolesTest {

    private static final String URL = "waybill.runtime.threads.database.url";
    private static final String INSERT = """
            INSERT INTO runtime.items (tenant_id, deployment_id, owner, namespace, key, value, created_at, updated_at)
            VALUES ('%s', '%s', 'o', 'n.', '%s', '{}', now(), now())
            """;

    private final Account account = Deployments.account();

    @Inject
    InMemoryEngine engine;

    @ConfigProperty(name = "quarkus.datasource.jdbc.url")
    String database;

    @BeforeEach
    void configureThreads() {
        engine.configure(Map.of(URL, "postgresql://database.example:5432/waybill"));
    }

    @AfterEach
    void configureNothing() {
        engine.configure(Map.of());
    }

    @Test
    void roleSeesOnlyRowsOfItsDeployment() throws SQLException {
        HttpResult one = Deployments.deployed(account, Deployments.newName());
        HttpResult two = Deployments.deployed(account, Deployments.newName());

        try (Connection first = connect(one); Connection second = connect(two)) {
            execute(first, INSERT.formatted(account.workspaceId(), one.id(), "first"));
            execute(second, INSERT.formatted(account.workspaceId(), two.id(), "second"));

            assertThat(keys(first)).containsExactly("first");
            assertThat(keys(second)).containsExactly("second");
            execute(second, "SELECT set_config('waybill.every_workspace', 'on', false), set_config('waybill.tenant_id', '"
                    + account.workspaceId() + "', false)");
            assertThat(keys(second)).containsExactly("second");
            execute(second, "DELETE FROM runtime.items", "UPDATE runtime.items SET value = '[]'");
            assertThat(keys(first)).containsExactly("first");
            assertRejected(second, INSERT.formatted(account.workspaceId(), one.id(), "third"));
            execute(second, "SET ROLE waybill_application");
            assertThat(keys(second)).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = { "waybill_app_%s0", "waybill_app_0%s", "xwaybill_app_%s", "waybill_apps_%s", "waybill_app_", "%s",
            "waybill_app_00000000000000000000000000000000" })
    void otherRolesHaveNoDeployment(String name) throws SQLException {
        try (Connection connection = TestDatabase.get().superuser(); Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            String role = '"' + name.formatted(UUID.randomUUID()) + '"';
            execute(connection, "CREATE ROLE " + role + " IN ROLE waybill_application", "SET ROLE " + role);

            ResultSet row = statement.executeQuery("SELECT runtime.current_deployment()");

            assertThat(row.next()).isTrue();
            assertThat(row.getString(1)).isNull();
            connection.rollback();
        }
    }

    @Test
    void roleHasNoOtherRights() throws SQLException {
        HttpResult one = Deployments.deployed(account, Deployments.newName());
        HttpResult two = Deployments.deployed(account, Deployments.newName());

        try (Connection connection = connect(one)) {
            for (String statement : List.of("SELECT * FROM account.api_keys", "SELECT * FROM deploy.deployments",
                    "CREATE SCHEMA mine", "CREATE TABLE runtime.mine (id int)", "CREATE TABLE public.mine (id int)",
                    "CREATE TEMPORARY TABLE mine (id int)", "CREATE ROLE mine", "TRUNCATE runtime.items",
                    "DROP TABLE runtime.items", "ALTER TABLE runtime.items DISABLE ROW LEVEL SECURITY",
                    "DROP POLICY own_deployment ON runtime.items", "SELECT pg_advisory_lock(7203450001)",
                    "SELECT pg_try_advisory_xact_lock(1, 2)", "SELECT lo_create(0)",
                    "SET ROLE \"waybill_app_" + two.id() + "\"", "SET ROLE waybill_control",
                    "SELECT runtime.delete_rows('" + account.workspaceId() + "', '" + one.id() + "', 1)",
                    "SELECT waybill_roles.drop_application_role('" + two.id() + "')",
                    "ALTER ROLE \"waybill_app_" + two.id() + "\" PASSWORD 'mine'",
                    "GRANT \"waybill_app_" + two.id() + "\" TO CURRENT_USER")) {
                assertRejected(connection, statement);
            }
        }
    }

    @Test
    void laterRevisionsHaveTheSamePassword() {
        HttpResult created = Deployments.deployed(account, Deployments.newName());

        UUID next = Deployments.change(account, created.id(), "next");
        Deployments.awaitStatus(account, created.id(), next, "DEPLOYED");

        assertThat(password(next)).isEqualTo(password(created));
    }

    @Test
    void activeRevisionGetsNoSecretOfAnUnhealthyLaterOne() {
        engine.configure(Map.of());
        String name = Deployments.newName();
        HttpResult created = Deployments.deployed(account, name);
        UUID active = Deployments.latest(created);
        configureThreads();
        engine.script(name).start(step -> Uni.createFrom().item(Outcome.Failed.permanent("It is not healthy.")));

        UUID next = Deployments.change(account, created.id(), "next");
        Deployments.awaitStatus(account, created.id(), next, "DEPLOY_FAILED");
        long observed = engine.count("observe", active);
        DatabaseInspector.update("UPDATE deploy.deployments SET next_look_at = now() WHERE id = '" + created.id() + "'");
        Patience.await().until(() -> engine.count("observe", active) > observed);

        assertThat(engine.plan(next).environment()).containsKey(ThreadSettings.PASSWORD_VARIABLE);
        assertThat(engine.plan(active).environment()).containsOnlyKeys("WAYBILL_TRACING_KEY");
    }

    @Test
    void connectionsOfARoleFollowItsReplicas() {
        String name = Deployments.newName();
        HttpResult created = Deployments.create(account, """
                {"name": "%s", "source": "repohost", "source_revision_config": {"repo_ref": "main"},
                 "source_config": {"repo_url": "%s", "resource_spec": {"max_scale": 5}}}"""
                .formatted(name, Deployments.REPOSITORY), 201);
        assertThat(connectionLimit(created)).isEqualTo(40);

        scale(created, 1, 6);
        assertThat(connectionLimit(created)).isEqualTo(48);

        scale(created, 1, 1);
        assertThat(connectionLimit(created)).isEqualTo(48);

        DatabaseInspector.text("SELECT waybill_roles.raise_connection_limit('" + created.id() + "', 1000000)::text");
        assertThat(connectionLimit(created))
                .isEqualTo(DatabaseInspector.count("SELECT current_setting('max_connections')::int / 2"));
    }

    private void scale(HttpResult deployment, int min, int max) {
        HttpResult changed = as(account).patch(Deployments.PATH + "/" + deployment.id(),
                "{\"source_config\": {\"resource_spec\": {\"min_scale\": %s, \"max_scale\": %s}}}".formatted(min, max));
        assertThat(changed.status()).as(changed.body()).isEqualTo(200);
    }

    private static long connectionLimit(HttpResult deployment) {
        return DatabaseInspector
                .count("SELECT rolconnlimit FROM pg_roles WHERE rolname = 'waybill_app_" + deployment.id() + "'");
    }

    @ParameterizedTest
    @ValueSource(strings = { "role", "password", "both" })
    void nextRevisionRestoresWhatWasLost(String lost) throws SQLException {
        HttpResult created = Deployments.deployed(account, Deployments.newName());
        if (!lost.equals("password")) {
            DatabaseInspector.update("DROP ROLE \"waybill_app_" + created.id() + "\"");
        }
        if (!lost.equals("role")) {
            DatabaseInspector
                    .update("UPDATE deploy.deployments SET platform_secrets = NULL WHERE id = '" + created.id() + "'");
        }

        UUID next = Deployments.change(account, created.id(), "next");
        Deployments.awaitStatus(account, created.id(), next, "DEPLOYED");

        connect(created.id(), password(next)).close();
        assertThat(password(next).equals(password(created))).isEqualTo(lost.equals("role"));
    }

    @Test
    void deletedDeploymentHasNeitherRoleNorRows() throws SQLException {
        HttpResult kept = Deployments.deployed(account, Deployments.newName());
        HttpResult deleted = Deployments.deployed(account, Deployments.newName());
        for (HttpResult deployment : List.of(kept, deleted)) {
            try (Connection connection = connect(deployment)) {
                execute(connection, INSERT.formatted(account.workspaceId(), deployment.id(), "key"));
            }
        }

        as(account).delete(Deployments.PATH + "/" + deleted.id());

        Patience.await().until(() -> DatabaseInspector
                .count("SELECT count(*) FROM deploy.deployments WHERE id = '" + deleted.id() + "'") == 0);
        assertThat(DatabaseInspector.count("SELECT count(*) FROM pg_roles WHERE rolname = 'waybill_app_" + deleted.id() + "'"))
                .isZero();
        assertThat(DatabaseInspector.count("SELECT count(*) FROM runtime.items WHERE deployment_id = '" + deleted.id() + "'"))
                .isZero();
        assertThat(DatabaseInspector.count("SELECT count(*) FROM runtime.items WHERE deployment_id = '" + kept.id() + "'"))
                .isOne();
    }

    @Test
    @Tag("full")
    void lockOfAnApplicationDelaysADeletionOnly() throws SQLException {
        HttpResult other = Deployments.deployed(account, Deployments.newName());
        HttpResult deleted = Deployments.deployed(account, Deployments.newName());
        String row = "SELECT count(*) FROM deploy.deployments WHERE id = '" + deleted.id() + "'";

        try (Connection connection = connect(other)) {
            execute(connection, "SET idle_in_transaction_session_timeout = 0", "BEGIN", "LOCK TABLE runtime.items");
            as(account).delete(Deployments.PATH + "/" + deleted.id());
            Patience.await().until(() -> DatabaseInspector.count(row + " AND tries > 0") == 1);
        }

        Patience.await().until(() -> DatabaseInspector.count(row) == 0);
        assertThat(DatabaseInspector.count("SELECT count(*) FROM pg_roles WHERE rolname = 'waybill_app_" + deleted.id() + "'"))
                .isZero();
    }

    @Test
    void nextRevisionRestoresTheChangedPassword() throws SQLException {
        HttpResult created = Deployments.deployed(account, Deployments.newName());
        try (Connection connection = connect(created)) {
            execute(connection, "ALTER ROLE CURRENT_USER PASSWORD 'mine'");
        }

        UUID next = Deployments.change(account, created.id(), "next");
        Deployments.awaitStatus(account, created.id(), next, "DEPLOYED");

        assertThat(password(next)).isEqualTo(password(created));
        try (Connection connection = connect(created.id(), password(next))) {
            assertThat(keys(connection)).isEmpty();
        }
    }

    @Test
    @Tag("full")
    void revisionDoesNotWaitForTheApplication() throws SQLException {
        HttpResult created = Deployments.deployed(account, Deployments.newName());
        try (Connection connection = connect(created)) {
            execute(connection, "SET idle_in_transaction_session_timeout = 0", "BEGIN",
                    "ALTER ROLE CURRENT_USER PASSWORD 'mine'");

            HttpResult rejected = as(account).patch(Deployments.PATH + "/" + created.id(),
                    "{\"source_revision_config\": {\"repo_ref\": \"next\"}}");

            assertThat(rejected.status()).isEqualTo(409);
            assertThat(rejected.body()).contains("changes its database role");
        }
        Deployments.change(account, created.id(), "next");
    }

    @Test
    void passwordIsNeverReturned() {
        HttpResult created = Deployments.deployed(account, Deployments.newName());
        String password = password(created);

        List<String> responses = List.of(created.body(), Deployments.get(account, created.id()).body(),
                as(account).get(Deployments.revision(created.id(), Deployments.latest(created))).body(),
                as(account).get(Deployments.revision(created.id(), Deployments.latest(created)) + "/logs").body());

        assertThat(password).hasSizeGreaterThan(40);
        assertThat(responses).noneMatch(response -> response.contains(password));
        assertThat(engine.plan(Deployments.latest(created)).toString()).doesNotContain(password);
    }

    @Test
    void deploymentHasNoRoleWithoutADatabaseOfThreads() {
        engine.configure(Map.of());

        HttpResult created = Deployments.deployed(account, Deployments.newName());

        assertThat(engine.plan(Deployments.latest(created)).environment())
                .doesNotContainKey(ThreadSettings.PASSWORD_VARIABLE);
        assertThat(DatabaseInspector.count("SELECT count(*) FROM pg_roles WHERE rolname = 'waybill_app_" + created.id() + "'"))
                .isZero();
    }

    @Test
    void everyTableOfThreadsHasThePolicyOfDeployments() {
        assertThat(DatabaseInspector.count(
                "SELECT count(*) FROM pg_tables t WHERE schemaname = 'runtime' AND NOT EXISTS (SELECT FROM pg_policies p "
                        + "WHERE p.schemaname = 'runtime' AND p.tablename = t.tablename AND p.policyname = 'own_deployment')"))
                .isZero();
    }

    private String password(HttpResult created) {
        return password(Deployments.latest(created));
    }

    private String password(UUID revision) {
        return engine.plan(revision).environment().get(ThreadSettings.PASSWORD_VARIABLE);
    }

    private Connection connect(HttpResult created) throws SQLException {
        return connect(created.id(), password(created));
    }

    private Connection connect(UUID deployment, String password) throws SQLException {
        return DriverManager.getConnection(database, "waybill_app_" + deployment, password);
    }

    private static void execute(Connection connection, String... statements) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    private static void assertRejected(Connection connection, String sql) {
        assertThatThrownBy(() -> execute(connection, sql)).as(sql).isInstanceOf(SQLException.class)
                .extracting(rejected -> ((SQLException) rejected).getSQLState()).isEqualTo("42501");
    }

    private static List<String> keys(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT key FROM runtime.items")) {
            List<String> keys = new java.util.ArrayList<>();
            while (rows.next()) {
                keys.add(rows.getString(1));
            }
            return keys;
        }
    }
}
