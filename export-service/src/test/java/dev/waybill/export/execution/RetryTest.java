package dev.waybill.export.execution;

import static dev.waybill.common.testing.Patience.await;
import static dev.waybill.export.Exports.MONDAY;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.waybill.export.Bucket;
import dev.waybill.export.Duck;
import dev.waybill.export.ExportServiceTest;
import dev.waybill.export.Exports;
import dev.waybill.export.Traces;
import dev.waybill.export.storage.FaultProxy;
import dev.waybill.export.storage.FaultProxy.Fault;
import io.restassured.response.Response;

/** Stores that fail temporarily or permanently. */
@ExportServiceTest
class RetryTest {

    private Bucket bucket;
    private FaultProxy proxy;
    private Exports exports;

    // Not a field initializer: the service must be listening.
    @BeforeEach
    void open() {
        bucket = new Bucket();
        proxy = FaultProxy.before(Bucket.endpoint());
        exports = Exports.through(proxy.endpoint());
    }

    @AfterEach
    void close() {
        proxy.close();
        bucket.close();
    }

    @Test
    void transientStoreErrorsAreRetriedAndListed() {
        // Given
        Traces.runs(exports.tenantId(), exports.sessionId(), MONDAY, Duration.ofMinutes(1), 100);
        proxy.times(4, "UploadPart", Fault.error(503, "SlowDown"));

        // When
        UUID id = exports.complete(MONDAY, MONDAY.plus(Duration.ofDays(1)), "");

        // Then
        Response runs = exports.client().runs(id);
        assertThat((int) runs.path("[0].retry_number")).isEqualTo(1);
        assertThat((String) runs.path("[0].errors.'1'.code")).isEqualTo("throttled");
        assertThat((String) runs.path("[0].errors.'1'.message")).isEqualTo("The store throttles requests.");
        assertThat((String) runs.path("[0].errors.'1'.at")).matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{6}Z");
        assertThat(rows(id)).isEqualTo(100L);
        assertThat(bucket.openUploads(exports.prefix())).isEmpty();
    }

    @Test
    void completionWithLostResponseIsDetected() {
        // Given
        Traces.runs(exports.tenantId(), exports.sessionId(), MONDAY, Duration.ofMinutes(1), 100);
        proxy.times(1, "CompleteMultipartUpload", new Fault.DropAfter());

        // When
        UUID id = exports.complete(MONDAY, MONDAY.plus(Duration.ofDays(1)), "");

        // Then
        assertThat(rows(id)).isEqualTo(100L);
    }

    @Test
    void rejectedCredentialsFailExportImmediately() {
        // Given
        Traces.runs(exports.tenantId(), exports.sessionId(), MONDAY, Duration.ofHours(1), 100);
        proxy.always("UploadPart", Fault.error(403, "AccessDenied"));

        // When
        UUID id = exports.start(MONDAY, MONDAY.plus(Duration.ofDays(30)), "");

        // Then
        exports.awaitStatus(id, "Failed");
        List<String> statuses = exports.client().runs(id).path("status");
        assertThat(statuses).contains("Failed").isSubsetOf("Failed", "Completed", "Cancelled");
        List<String> codes = exports.client().runs(id).path("findAll { it.status == 'Failed' }.errors.'1'.code");
        assertThat(codes).containsOnly("access_denied");
        assertThat(bucket.keys(exports.prefix())).isEmpty();
        proxy.clear();
        await().untilAsserted(() -> assertThat(bucket.openUploads(exports.prefix())).isEmpty());
    }

    @Test
    @Tag("full")
    void runFailsAfterLastAttempt() {
        // Given
        Traces.runs(exports.tenantId(), exports.sessionId(), MONDAY, Duration.ofMinutes(1), 10);
        proxy.always("CreateMultipartUpload", new Fault.Drop());

        // When
        UUID id = exports.start(MONDAY, MONDAY.plus(Duration.ofDays(1)), "");

        // Then
        exports.awaitStatus(id, "Failed");
        Response runs = exports.client().runs(id);
        assertThat((int) runs.path("[0].errors.size()")).isEqualTo(5);
        assertThat((int) runs.path("[0].retry_number")).isEqualTo(4);
    }

    @Test
    void wrongObjectSizeFailsRun() {
        // Given
        Traces.runs(exports.tenantId(), exports.sessionId(), MONDAY, Duration.ofMinutes(1), 10);
        proxy.always("HeadObject", new Fault.OtherSize(7));

        // When
        UUID id = exports.start(MONDAY, MONDAY.plus(Duration.ofDays(1)), "");

        // Then
        exports.awaitStatus(id, "Failed");
        assertThat((String) exports.client().runs(id).path("[0].errors.'1'.code")).isEqualTo("content_mismatch");
        assertThat(bucket.keys(exports.prefix())).noneMatch(key -> key.endsWith("_manifest.json"));
    }

    @Test
    void failedManifestWriteIsRetried() {
        // Given
        Traces.runs(exports.tenantId(), exports.sessionId(), MONDAY, Duration.ofMinutes(1), 10);
        proxy.times(4, "PutObject", Fault.error(500, "InternalError"));

        // When
        UUID id = exports.complete(MONDAY, MONDAY.plus(Duration.ofDays(1)), "");

        // Then
        assertThat(bucket.keys(exports.prefix())).contains(exports.folder(id) + "_manifest.json");
    }

    private Object rows(UUID id) {
        return Duck.value(bucket.download(exports.folder(id)), "SELECT count(DISTINCT id) FROM files");
    }
}
