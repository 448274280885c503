package dev.waybill.common.database;

import static dev.waybill.common.database.ReactiveDatabase.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.UUID;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.pgclient.PgException;

/** Transactions that PostgreSQL rolls back because of a conflict are retried, and no others (fault F6). */
class DatabaseTest {

    private final ReactiveDatabase reactive = new ReactiveDatabase();
    private final Database database = reactive.database();
    private final String table = "public.counters_" + UUID.randomUUID().toString().replace("-", "");

    @BeforeEach
    void create() {
        execute("CREATE TABLE " + table + " (id int PRIMARY KEY, n int NOT NULL)");
        execute("INSERT INTO " + table + " VALUES (1, 0), (2, 0)");
    }

    @AfterEach
    void drop() {
        execute("DROP TABLE " + table);
        reactive.close();
    }

    @Test
    void deadlockedTransactionsBothSucceed() {
        // Given
        CyclicBarrier bothHoldOne = new CyclicBarrier(2);
        AtomicInteger attempts = new AtomicInteger();

        // When
        await(Uni.join().all(
                oneThenTheOther(1, 2, bothHoldOne, attempts),
                oneThenTheOther(2, 1, bothHoldOne, attempts)).andFailFast());

        // Then
        assertThat(attempts.get()).as("one was rolled back and retried").isEqualTo(3);
        assertThat(sum()).isEqualTo(4);
    }

    @ParameterizedTest
    @CsvSource({ "40001, 4", "40P01, 4", "23505, 1", "P0001, 1" })
    void retriesConflictsOnly(String sqlState, int times) {
        // Given
        AtomicInteger attempts = new AtomicInteger();
        Uni<Void> work = database.outsideWorkspaces(connection -> attempts.incrementAndGet() < 4
                ? raise(connection, sqlState)
                : Uni.createFrom().voidItem());

        // When
        boolean succeeded = await(work.replaceWith(true).onFailure(PgException.class).recoverWithItem(false));

        // Then
        assertThat(attempts.get()).isEqualTo(times);
        assertThat(succeeded).isEqualTo(times > 1);
    }

    @Test
    void permanentConflictFails() {
        // Given
        Uni<Void> work = database.inWorkspace(UUID.randomUUID(), connection -> raise(connection, "40001"));

        // When / Then
        assertThatThrownBy(() -> await(work)).hasMessageContaining("injected");
        assertThat(sum()).isZero();
    }

    @Test
    void snapshotDoesNotSeeLaterCommits() {
        // When
        List<Long> sums = await(database.inWorkspaceSnapshot(UUID.randomUUID(), connection -> sum(connection)
                .chain(before -> database.outsideWorkspaces(other -> increment(other, 1))
                        .chain(() -> sum(connection))
                        .map(after -> List.of(before, after)))));

        // Then
        assertThat(sums).containsExactly(0L, 0L);
        assertThat(sum()).isEqualTo(1);
    }

    @Test
    void snapshotIsReadOnly() {
        assertThatThrownBy(
                () -> await(database.inWorkspaceSnapshot(UUID.randomUUID(), connection -> increment(connection, 1))))
                .hasMessageContaining("read-only transaction");
        assertThat(sum()).isZero();
    }

    private Uni<Void> oneThenTheOther(int first, int second, CyclicBarrier bothHoldOne, AtomicInteger attempts) {
        return database.outsideWorkspaces(connection -> {
            boolean isRetry = attempts.incrementAndGet() > 2;
            return increment(connection, first)
                    .chain(() -> isRetry ? Uni.createFrom().voidItem() : meet(bothHoldOne))
                    .chain(() -> increment(connection, second));
        });
    }

    private static Uni<Void> meet(CyclicBarrier barrier) {
        return Uni.createFrom().<Void> item(() -> {
            try {
                barrier.await();
                return null;
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }).runSubscriptionOn(Infrastructure.getDefaultExecutor());
    }

    private Uni<Void> increment(SqlConnection connection, int id) {
        return connection.query("UPDATE " + table + " SET n = n + 1 WHERE id = " + id).execute().replaceWithVoid();
    }

    private Uni<Void> raise(SqlConnection connection, String sqlState) {
        return increment(connection, 1)
                .chain(() -> connection
                        .query("DO $$ BEGIN RAISE EXCEPTION 'injected' USING ERRCODE = '" + sqlState + "'; END $$")
                        .execute())
                .replaceWithVoid();
    }

    private long sum() {
        return await(database.outsideWorkspaces(this::sum));
    }

    private Uni<Long> sum(SqlConnection connection) {
        return connection.query("SELECT sum(n) FROM " + table).execute().map(rows -> rows.iterator().next().getLong(0));
    }

    private void execute(String sql) {
        await(database.outsideWorkspaces(connection -> connection.query(sql).execute().replaceWith(List.of())));
    }
}
