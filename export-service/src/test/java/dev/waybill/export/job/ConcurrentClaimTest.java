package dev.waybill.export.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.waybill.common.job.Lease;

/** Fault F6: concurrent claims, some of which PostgreSQL aborts. */
class ConcurrentClaimTest {

    private static final int CLAIMERS = 16;
    private static final int JOBS = 4;

    private final ExportQueue queue = new ExportQueue(Map.of());

    @AfterEach
    void close() {
        queue.execute("DROP FUNCTION IF EXISTS export.give_way CASCADE");
        queue.execute("DROP SEQUENCE IF EXISTS export.updates");
        queue.close();
    }

    @Test
    void concurrentClaimersGetEachRunOnce() throws Exception {
        // Given
        jobs();

        // When
        List<Lease> claimed = claimAtOnce();

        // Then
        assertEachOnce(claimed);
    }

    @ParameterizedTest
    @ValueSource(strings = { "40001", "40P01" })
    void serializationConflictIsRetriedWithoutLosingRuns(String sqlState) throws Exception {
        // Given: PostgreSQL aborts the first five claims.
        jobs();
        queue.execute("CREATE SEQUENCE export.updates");
        queue.execute("GRANT USAGE ON SEQUENCE export.updates TO waybill_export");
        queue.execute("""
                CREATE FUNCTION export.give_way() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN
                    IF nextval('export.updates') <= 5 THEN
                        RAISE EXCEPTION 'injected' USING ERRCODE = '%s';
                    END IF;
                    RETURN NEW;
                END $$
                """.formatted(sqlState));
        queue.execute("CREATE TRIGGER give_way BEFORE UPDATE OF lease_token ON export.runs FOR EACH ROW"
                + " EXECUTE FUNCTION export.give_way()");

        // When
        List<Lease> claimed = claimAtOnce();

        // Then
        assertEachOnce(claimed);
        assertThat((long) queue.query("SELECT last_value FROM export.updates")).isEqualTo(5 + JOBS);
    }

    private void jobs() {
        UUID one = queue.workspace();
        UUID other = queue.workspace();
        queue.create(one, 2);
        queue.create(one, 1);
        queue.create(other, 1);
    }

    private List<Lease> claimAtOnce() throws Exception {
        Callable<List<Lease>> claimer = queue::claim;
        List<Lease> claimed = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(CLAIMERS)) {
            for (Future<List<Lease>> result : threads.invokeAll(Collections.nCopies(CLAIMERS, claimer))) {
                claimed.addAll(result.get());
            }
        }
        return claimed;
    }

    private void assertEachOnce(List<Lease> claimed) {
        assertThat(claimed).hasSize(JOBS).extracting(Lease::id).doesNotHaveDuplicates();
        assertThat(claimed).extracting(Lease::token).containsOnly(1L);
        assertThat(queue.query("SELECT count(*) FROM export.runs WHERE lease_token = 1")).isEqualTo((long) JOBS);
    }
}
