package dev.waybill.runtime.storage.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.ZoneOffset;
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
    private static final String APPLICATION = "waybill-runtime-test";

    private final TestDatabase database = TestDatabase.get();
    private final UUID tenant = UUID.randomUUID();
    private final UUID deployment = UUID.randomUUID();

    /** Creates a deployment without rows. */
    RuntimeDatabase() {
        database.migrate("control-plane");
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
        return PostgresStorage.open(VERTX, options().setPort(FreePort.find()), tenant, deployment, new Ids(Clock.systemUTC()));
    }

    /** Ends all connections of storages, as a restart of the server does. */
    void endConnections() throws SQLException {
        try (Connection connection = database.superuser(); Statement statement = connection.createStatement()) {
            statement.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '"
                    + APPLICATION + "'");
        }
    }

    private PgConnectOptions options() {
        return PgConnectOptions.fromUri(database.reactiveUrl()).setUser("postgres").setPassword("test")
                .addProperty("application_name", APPLICATION);
    }
}
