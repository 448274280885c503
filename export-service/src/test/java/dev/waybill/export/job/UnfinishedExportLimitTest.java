package dev.waybill.export.job;

import static dev.waybill.common.database.ReactiveDatabase.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.waybill.common.job.Lease;
import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import io.vertx.mutiny.sqlclient.Tuple;

/** The limit on unfinished exports of a workspace (threat T14). */
class UnfinishedExportLimitTest {

    private final ExportQueue queue = new ExportQueue(Map.of("unfinished-exports", "5"));

    @AfterEach
    void close() {
        queue.close();
    }

    @Test
    void concurrentRequestsRespectTheLimit() throws Exception {
        // Given
        UUID workspace = queue.workspace();
        Callable<Boolean> order = () -> orders(workspace);
        int ordered = 0;

        // When
        try (ExecutorService threads = Executors.newFixedThreadPool(12)) {
            for (Future<Boolean> done : threads.invokeAll(IntStream.range(0, 20).mapToObj(i -> order).toList())) {
                ordered += done.get() ? 1 : 0;
            }
        }

        // Then
        assertThat(ordered).isEqualTo(5);
        assertThat(queue.query("SELECT count(*) FROM export.bulk_exports WHERE tenant_id = ?", workspace)).isEqualTo(5L);
    }

    @Test
    void endedExportsFreeCapacity() {
        // Given
        UUID workspace = queue.workspace();
        List<UUID> exports = IntStream.range(0, 5).mapToObj(i -> queue.create(workspace, 1)).toList();
        boolean whileFull = orders(workspace);

        // When
        await(queue.service.cancel(workspace, exports.getFirst()));

        // Then
        assertThat(whileFull).isFalse();
        assertThat(orders(workspace)).isTrue();
        assertThat(orders(workspace)).isFalse();
    }

    @Test
    void limitAppliesPerWorkspace() {
        // Given
        UUID abusive = queue.workspace();
        List<Boolean> ordered = new ArrayList<>();
        IntStream.range(0, 50).forEach(i -> ordered.add(orders(abusive)));
        queue.execute("""
                INSERT INTO export.runs (tenant_id, id, export_id, position, start_time, end_time)
                SELECT tenant_id, gen_random_uuid(), id, n, now(), now() + interval '1 day'
                FROM export.bulk_exports, generate_series(0, 99) AS n
                """);
        queue.claim(10);
        UUID normal = queue.workspace();

        // When
        boolean admitted = orders(normal);
        queue.execute("""
                INSERT INTO export.runs (tenant_id, id, export_id, position, start_time, end_time)
                SELECT tenant_id, gen_random_uuid(), id, 0, now(), now() + interval '1 day'
                FROM export.bulk_exports WHERE tenant_id = ?
                """, normal);
        Lease next = queue.claim().getFirst();

        // Then
        assertThat(ordered).filteredOn(done -> done).hasSize(5);
        assertThat(admitted).isTrue();
        assertThat(next.tenantId()).isEqualTo(normal);
    }

    /** Returns whether another export is accepted; plans no runs. */
    private boolean orders(UUID workspace) {
        return await(queue.database
                .inWorkspace(workspace, connection -> queue.exports.requireExportCapacity(connection, workspace)
                        .chain(() -> connection
                                .preparedQuery(
                                        """
                                                INSERT INTO export.bulk_exports (tenant_id, id, destination_id, session_id, start_time, end_time,
                                                    key_prefix, format, format_version, compression, status)
                                                VALUES ($1, gen_random_uuid(), $1, $1, '2026-01-01', '2026-01-02', '', 'Parquet', 'v1', 'gzip', 'Created')
                                                """)
                                .execute(Tuple.of(workspace))))
                .replaceWith(true)
                .onFailure(failure -> failure instanceof ProblemException problem
                        && problem.type() == CommonProblem.TOO_MANY_REQUESTS)
                .recoverWithItem(false));
    }
}
