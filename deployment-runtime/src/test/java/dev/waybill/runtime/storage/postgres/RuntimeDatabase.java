package dev.waybill.runtime.storage.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.UUID;

import dev.waybill.common.id.Ids;
import dev.waybill.common.testing.TestDatabase;
import dev.waybill.local.storage.FreePort;
import dev.waybill.runtime.storage.Storage;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;

/** A deployment in the test database, and storages of its replicas. */
final class RuntimeDatabase {

    private static final Vertx VERTX = Vertx.vertx();
    private static final String PASSWORD = "test";
    private static final String ANY_VERIFIER = "SCRAM-SHA-256$4096:c2FsdA==$c3RvcmVk:c2VydmVy";
    private static final String APPLICATION = "waybill-runtime-test";

    private final TestDatabase database = TestDatabase.get();
    private final UUID tenant;
    private final UUID deployment = UUID.randomUUID();

    /** Creates a deployment without rows, and its role. */
    RuntimeDatabase() {
        this(UUID.randomUUID());
    }

    /** Creates a deployment of a workspace. */
    RuntimeDatabase(UUID tenant) {
        this.tenant = tenant;
        database.migrate("control-plane");
        execute("SELECT waybill_roles.create_application_role('" + deployment + "', '" + ANY_VERIFIER + "')",
                "ALTER ROLE \"" + role() + "\" PASSWORD '" + PASSWORD + "'");
    }

    private String role() {
        return "waybill_app_" + deployment;
    }

    /** Opens a storage that has the time of a clock. */
    Storage open(Clock clock) {
        return new PostgresStorage(VERTX, options(), tenant, deployment, new Ids(clock),
                () -> "'" + clock.instant().atOffset(ZoneOffset.UTC) + "'::timestamptz");
    }

    /** Opens a storage that has the time of the database. */
    Storage open() {
        return PostgresStorage.open(VERTX, options(), tenant, deployment, new Ids(Clock.systemUTC()));
    }

    /** Opens a storage whose server refuses connections. */
    Storage openUnreachable() {
        return openAt(FreePort.find());
    }

    /** Opens a storage that connects to another port, such as that of a proxy. */
    Storage openAt(int port) {
        return PostgresStorage.open(VERTX, options().setPort(port), tenant, deployment, new Ids(Clock.systemUTC()));
    }

    /** Returns the configuration of a runtime of the deployment. */
    Map<String, String> settings() {
        return Map.of("waybill.runtime.threads.database.url", database.reactiveUrl(),
                "waybill.runtime.threads.database.username", role(),
                "waybill.runtime.threads.database.password", PASSWORD,
                "waybill.runtime.threads.database.workspace-id", tenant.toString(),
                "waybill.runtime.threads.database.deployment-id", deployment.toString());
    }

    /** Returns the port of the server. */
    int port() {
        return options().getPort();
    }

    /** Ends all connections of storages, as a restart of the server does. */
    void endConnections() {
        execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '" + APPLICATION + "'");
    }

    /** Returns a connection with all rights, whose statements are one transaction. */
    Connection transaction() throws SQLException {
        Connection connection = database.superuser();
        connection.setAutoCommit(false);
        return connection;
    }

    /** Waits until a statement of a storage waits for a lock. */
    void awaitLock() throws SQLException {
        String waiting = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND usename = '" + role() + "'";
        try (Connection connection = database.superuser(); Statement statement = connection.createStatement()) {
            while (!statement.executeQuery(waiting).next()) {
                Thread.onSpinWait();
            }
        }
    }

    private void execute(String... statements) {
        try (Connection connection = database.superuser(); Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private PgConnectOptions options() {
        return PgConnectOptions.fromUri(database.reactiveUrl()).setUser(role()).setPassword(PASSWORD)
                .addProperty("application_name", APPLICATION);
    }
}
