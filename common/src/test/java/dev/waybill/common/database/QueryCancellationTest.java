package dev.waybill.common.database;

import static dev.waybill.common.database.ReactiveDatabase.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.Patience;
import dev.waybill.common.testing.TestDatabase;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.Cancellable;
import io.vertx.mutiny.sqlclient.SqlConnection;

/** Cancelling a snapshot cancels its current query in PostgreSQL, and nothing else. The pool has one connection. */
class QueryCancellationTest {

    private static final UUID WORKSPACE = UUID.randomUUID();

    private final String marker = UUID.randomUUID().toString();
    private final ReactiveDatabase reactive = new ReactiveDatabase(1);
    private final Database database = reactive.database();
    private final AtomicInteger laterQueries = new AtomicInteger();

    @AfterEach
    void close() {
        reactive.close();
    }

    @Test
    void cancelledQueryEndsAndLaterOnesDoNotStart() {
        // Given
        Cancellable request = start(connection -> sleep(connection, "600").chain(() -> later(connection)));
        Patience.await().until(() -> activeQueries() == 1);

        // When
        request.cancel();

        // Then
        Patience.await().until(() -> activeQueries() == 0);
        assertThat(select("2")).as("the connection is free again").isEqualTo(2);
        assertThat(laterQueries).hasValue(0);
    }

    @Test
    void nothingStartsIfCancelledBeforeAConnectionIsFree() {
        // Given
        Cancellable first = start(connection -> sleep(connection, "600"));
        Patience.await().until(() -> activeQueries() == 1);
        Cancellable second = start(this::later);

        // When
        second.cancel();
        first.cancel();

        // Then
        assertThat(select("3")).isEqualTo(3);
        assertThat(laterQueries).hasValue(0);
    }

    @Test
    void cancellationNeverReachesTheNextTransaction() {
        // Given
        Random random = new Random(20261124);
        for (int i = 0; i < 40; i++) {
            Cancellable request = start(connection -> sleep(connection, "0.001"));
            LockSupport.parkNanos(random.nextInt(3_000_000));

            // When
            request.cancel();

            // Then
            assertThat(select(i + " FROM pg_sleep(0.003)")).isEqualTo(i);
        }
    }

    @Test
    void cancellationAfterTheEndDoesNothing() {
        // Given
        AtomicInteger results = new AtomicInteger();
        Cancellable request = database.inWorkspaceSnapshot(WORKSPACE, this::later).subscribe().with(results::set);
        Patience.await().untilAsserted(() -> assertThat(results).hasValue(7));

        // When
        request.cancel();

        // Then
        assertThat(select("4")).isEqualTo(4);
    }

    private Cancellable start(Function<SqlConnection, Uni<Integer>> work) {
        return database.inWorkspaceSnapshot(WORKSPACE, work).subscribe().with(ignored -> {
        }, ignored -> {
        });
    }

    private Uni<Integer> sleep(SqlConnection connection, String seconds) {
        return query(connection, "1 FROM pg_sleep(" + seconds + ") /* " + marker + " */");
    }

    private Uni<Integer> later(SqlConnection connection) {
        laterQueries.incrementAndGet();
        return query(connection, "7");
    }

    private int select(String sql) {
        return await(database.inWorkspaceSnapshot(WORKSPACE, connection -> query(connection, sql)));
    }

    private static Uni<Integer> query(SqlConnection connection, String sql) {
        return connection.query("SELECT " + sql).execute().map(rows -> rows.iterator().next().getInteger(0));
    }

    private long activeQueries() throws SQLException {
        try (Connection connection = TestDatabase.get().superuser();
                PreparedStatement statement = connection.prepareStatement(
                        "SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND query LIKE ?")) {
            statement.setString(1, "%" + marker + "%");
            try (ResultSet rows = statement.executeQuery()) {
                rows.next();
                return rows.getLong(1);
            }
        }
    }
}
