package dev.waybill.export.execution;

import static dev.waybill.common.testing.Patience.await;
import static dev.waybill.export.Exports.MONDAY;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.waybill.common.job.Lease;
import dev.waybill.common.job.LeaseLostException;
import dev.waybill.export.Bucket;
import dev.waybill.export.ExportServiceTest;
import dev.waybill.export.Exports;
import dev.waybill.export.Traces;
import dev.waybill.export.execution.CrashPoint.Step;
import io.restassured.response.Response;

/** Cancellation in every state and concurrently with other status changes. */
@ExportServiceTest
class CancelTest {

    private static final Duration DAY = Duration.ofDays(1);

    private Bucket bucket;
    private Exports exports;
    private final CountDownLatch goOn = new CountDownLatch(1);

    // Not a field initializer: the service must be listening.
    @BeforeEach
    void open() {
        bucket = new Bucket();
        exports = Exports.create();
    }

    @AfterEach
    void close() {
        goOn.countDown();
        TestCrashPoint.disarm();
        bucket.close();
    }

    @Test
    void cancelledRunningExportPublishesNothing() {
        // Given
        Traces.runs(exports.tenantId(), exports.sessionId(), MONDAY, Duration.ofMinutes(1), 100);
        TestCrashPoint.once(exports.tenantId(), Step.PARTS_UPLOADED, this::awaitTest);
        UUID id = exports.start(MONDAY, MONDAY.plus(DAY), "");
        exports.awaitRun(id, "[0].status", "Running");
        await().untilAsserted(() -> assertThat(bucket.openUploads(exports.prefix())).hasSize(1));

        // When
        Response cancelled = exports.client().cancel(id);

        // Then
        assertThat(cancelled.statusCode()).isEqualTo(200);
        assertThat((String) cancelled.path("status")).isEqualTo("Cancelled");
        assertThat((String) cancelled.path("finished_at")).isNotNull();
        await().untilAsserted(() -> assertThat(bucket.openUploads(exports.prefix())).isEmpty());
        assertThat(bucket.keys(exports.prefix())).isEmpty();
        assertThat((String) exports.client().runs(id).path("[0].status")).isEqualTo("Cancelled");
    }

    @Test
    @Tag("full")
    void cancelledCommittedRunIsNotPublished() {
        // Given
        Traces.runs(exports.tenantId(), exports.sessionId(), MONDAY, Duration.ofMinutes(1), 100);
        TestCrashPoint.once(exports.tenantId(), Step.COMMITTED, CancelTest::crash);
        UUID id = exports.start(MONDAY, MONDAY.plus(DAY), "");
        await().untilAsserted(() -> assertThat(Traces.query("SELECT state FROM export.runs WHERE tenant_id = ?",
                exports.tenantId())).isEqualTo("Committing"));

        // When
        exports.client().cancel(id);

        // Then
        await().untilAsserted(() -> assertThat(bucket.openUploads(exports.prefix())).isEmpty());
        assertThat(bucket.keys(exports.prefix())).isEmpty();
    }

    @Test
    void cancellationDuringManifestWriteLeavesNoManifest() {
        // Given
        Traces.runs(exports.tenantId(), exports.sessionId(), MONDAY, Duration.ofMinutes(1), 100);
        TestCrashPoint.once(exports.tenantId(), Step.MANIFEST_WRITTEN, () -> Traces.execute("""
                UPDATE export.bulk_exports
                SET status = 'Cancelled', finished_at = now(), lease_token = lease_token + 1, lease_until = NULL
                WHERE tenant_id = ?
                """, exports.tenantId()));

        // When
        UUID id = exports.start(MONDAY, MONDAY.plus(DAY), "");

        // Then
        exports.awaitStatus(id, "Cancelled");
        await().untilAsserted(() -> assertThat(bucket.keys(exports.prefix()))
                .noneMatch(key -> key.endsWith("_manifest.json")));
    }

    @Test
    void waitingExportsCanBeCancelled() {
        // Given: the workspace may have three running exports; these are blocked and stay unfinished.
        IntStream.range(0, 3).forEach(i -> heldBack());

        // When
        UUID waiting = exports.start(MONDAY, MONDAY.plus(DAY), "");

        // Then: another workspace got the work.
        Exports.create().complete(MONDAY, MONDAY.plus(DAY), "");
        assertThat((String) exports.client().export(waiting).path("status")).isEqualTo("Created");
        assertThat((String) exports.client().cancel(waiting).path("status")).isEqualTo("Cancelled");
        assertThat((String) exports.client().runs(waiting).path("[0].status")).isEqualTo("Cancelled");
    }

    @Test
    void waitingExportsStartWhenOthersEnd() {
        // Given
        Traces.run(exports.tenantId(), exports.sessionId(), MONDAY);
        List<UUID> running = IntStream.range(0, 3).mapToObj(i -> heldBack()).toList();
        UUID waiting = exports.start(MONDAY, MONDAY.plus(DAY), "");

        // When
        exports.client().cancel(running.getFirst());

        // Then
        exports.awaitStatus(waiting, "Completed");
    }

    @Test
    void cancellingTwiceChangesNothing() {
        // Given
        UUID id = heldBack();
        Response first = exports.client().cancel(id);

        // When
        Response second = exports.client().cancel(id);

        // Then
        assertThat(second.statusCode()).isEqualTo(200);
        assertThat(second.asString()).isEqualTo(first.asString());
    }

    @Test
    void cancellingEndedExportReturns409() {
        // Given
        UUID id = exports.complete(MONDAY, MONDAY.plus(DAY), "");

        // When
        Response response = exports.client().cancel(id);

        // Then
        assertThat(response.statusCode()).isEqualTo(409);
        assertThat((String) response.path("detail")).contains("Completed");
    }

    @Test
    @Tag("full")
    void exactlyOneOfConcurrentStatusChangesWins() {
        // Given
        Traces.runs(exports.tenantId(), exports.sessionId(), MONDAY, Duration.ofMinutes(1), 50);
        for (int i = 0; i < 12; i++) {
            UUID id = exports.start(MONDAY, MONDAY.plus(DAY), "");
            LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(Duration.ofMillis(400).toNanos()));

            // When
            int response = exports.client().cancel(id).statusCode();

            // Then
            String status = exports.client().export(id).path("status");
            assertThat(status).isEqualTo(response == 200 ? "Cancelled" : "Completed");
            assertThat(response).isIn(200, 409);
            boolean manifest = bucket.keys(exports.folder(id)).stream().anyMatch(key -> key.endsWith("_manifest.json"));
            if (response == 409) {
                assertThat(manifest).isTrue();
            } else {
                await().untilAsserted(() -> assertThat(bucket.keys(exports.folder(id)))
                        .noneMatch(key -> key.endsWith("_manifest.json")));
            }
        }
        await().untilAsserted(() -> assertThat(bucket.openUploads(exports.prefix())).isEmpty());
    }

    /** Creates a running export whose run is not due for a long time. */
    private UUID heldBack() {
        UUID id = exports.start(MONDAY.minus(DAY), MONDAY.minus(DAY).plusSeconds(1), "");
        exports.awaitStatus(id, "Completed");
        // A worker may have completed it; resets it to a running export without a worker.
        Traces.execute("""
                UPDATE export.runs
                SET state = 'Running', finished_at = NULL, next_attempt_at = now() + interval '1 hour'
                WHERE export_id = ?
                """, id);
        Traces.execute("UPDATE export.bulk_exports SET status = 'Running', finished_at = NULL WHERE id = ?", id);
        return id;
    }

    private void awaitTest() {
        try {
            goOn.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static void crash() {
        throw new LeaseLostException(new Lease(new UUID(0, 0), new UUID(0, 0), 0), null);
    }
}
