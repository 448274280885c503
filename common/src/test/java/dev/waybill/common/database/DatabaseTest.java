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

/** Transactions that PostgreSQL undoes in favour of others are done again, and only those (fault F6). */
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
    void ofTwoThatWaitForEachOtherBothComeThrough() {
        // Given
        CyclicBarrier bothHoldOne = new CyclicBarrier(2);
        AtomicInteger begun = new AtomicInteger();

        // When
        await(Uni.join().all(
                oneThenTheOther(1, 2, bothHoldOne, begun),
                oneThenTheOther(2, 1, bothHoldOne, begun)).andFailFast());

        // Then
        assertThat(begun.get()).as("one was undone and began again").isEqualTo(3);
        assertThat(sum()).isEqualTo(4);
    }

    @ParameterizedTest
    @CsvSource({ "40001, 4", "40P01, 4", "23505, 1", "P0001, 1" })
    void onlyWhatGaveWayToOthersIsDoneAgain(String sqlState, int times) {
        // Given
        AtomicInteger begun = new AtomicInteger();
        Uni<Void> work = database.outsideWorkspaces(connection -> begun.incrementAndGet() < 4
                ? raise(connection, sqlState)
                : Uni.createFrom().voidItem());

        // When
        boolean passed = await(work.replaceWith(true).onFailure(PgException.class).recoverWithItem(false));

        // Then
        assertThat(begun.get()).isEqualTo(times);
        assertThat(passed).isEqualTo(times > 1);
    }

    @Test
    void whatNeverPassesFailsInTheEnd() {
        // Given
        Uni<Void> work = database.inWorkspace(UUID.randomUUID(), connection -> raise(connection, "40001"));

        // When / Then
        assertThatThrownBy(() -> await(work)).hasMessageContaining("injected");
        assertThat(sum()).isZero();
    }

    private Uni<Void> oneThenTheOther(int first, int second, CyclicBarrier bothHoldOne, AtomicInteger begun) {
        return database.outsideWorkspaces(connection -> {
            boolean again = begun.incrementAndGet() > 2;
            return increment(connection, first)
                    .chain(() -> again ? Uni.createFrom().voidItem() : meet(bothHoldOne))
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
        return await(database.outsideWorkspaces(connection -> connection.query("SELECT sum(n) FROM " + table).execute()
                .map(rows -> rows.iterator().next().getLong(0))));
    }

    private void execute(String sql) {
        await(database.outsideWorkspaces(connection -> connection.query(sql).execute().replaceWith(List.of())));
    }
}
