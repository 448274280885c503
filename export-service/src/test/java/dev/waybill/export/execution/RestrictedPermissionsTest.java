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

import dev.waybill.common.testing.LogLines;
import dev.waybill.export.Bucket;
import dev.waybill.export.Duck;
import dev.waybill.export.ExportServiceTest;
import dev.waybill.export.Exports;
import dev.waybill.export.Traces;
import dev.waybill.export.storage.FaultProxy;
import dev.waybill.export.storage.FaultProxy.Fault;
import dev.waybill.export.storage.StrictStoreRules;
import io.restassured.response.Response;

/** Buckets with write permission only (fault F12), and stores with special requirements on requests (F13). */
@ExportServiceTest
@Tag("full")
class RestrictedPermissionsTest {

    private Bucket bucket;
    private FaultProxy proxy;

    // Not a field initializer: the service must be listening.
    @BeforeEach
    void open() {
        bucket = new Bucket();
        proxy = FaultProxy.before(Bucket.endpoint());
    }

    @AfterEach
    void close() {
        proxy.close();
        bucket.keys("tmp/waybill-").forEach(bucket::delete);
        bucket.close();
    }

    @Test
    void writePermissionSufficesAndSizesAreUnverified() {
        // Given
        allowWritingOnly();
        Exports exports = exports();

        // When
        UUID id = exports.complete(MONDAY, MONDAY.plus(Duration.ofDays(1)), "");

        // Then
        assertThat((Object) exports.client().runs(id).path("[0].metadata.result.sizes_verified")).isEqualTo(false);
        assertThat(rows(exports, id)).isEqualTo(100L);
        assertThat(bucket.keys(exports.folder(id))).contains(exports.folder(id) + "_manifest.json");
        assertThat(bucket.keys("tmp/waybill-")).hasSize(1);
    }

    @Test
    void completionWithoutEntityTagNeedsNoSecondAttempt() {
        // Given
        allowWritingOnly();
        proxy.always("CompleteMultipartUpload", new Fault.RespondAfter(200, "<CompleteMultipartUploadResult/>"));
        Exports exports = exports();

        // When
        UUID id = exports.complete(MONDAY, MONDAY.plus(Duration.ofDays(1)), "");

        // Then
        assertThat((int) exports.client().runs(id).path("[0].retry_number")).isZero();
        assertThat((Object) exports.client().runs(id).path("[0].metadata.result.sizes_verified")).isEqualTo(false);
        assertThat(rows(exports, id)).isEqualTo(100L);
    }

    @Test
    void lostCompletionResponseIsRetriedWithoutReadPermission() {
        // Given
        allowWritingOnly();
        Exports exports = exports();
        proxy.times(1, "CompleteMultipartUpload", new Fault.DropAfter());
        // The test server accepts a repeated completion; most stores respond that the upload does not exist.
        proxy.times(1, "CompleteMultipartUpload", Fault.error(404, "NoSuchUpload"));

        // When
        UUID id = exports.complete(MONDAY, MONDAY.plus(Duration.ofDays(1)), "");

        // Then
        assertThat((String) exports.client().runs(id).path("[0].errors.'1'.code")).isEqualTo("upload_gone");
        assertThat(rows(exports, id)).isEqualTo(100L);
    }

    @Test
    @Tag("full")
    void forbiddenAbortIsLogged() {
        try (LogLines log = LogLines.listen()) {
            // Given
            allowWritingOnly();
            Exports exports = exports();
            proxy.always("CompleteMultipartUpload", Fault.error(403, "AccessDenied"));

            // When
            UUID id = exports.start(MONDAY, MONDAY.plus(Duration.ofDays(1)), "");

            // Then
            exports.awaitStatus(id, "Failed");
            assertThat((String) exports.client().runs(id).path("[0].errors.'1'.code")).isEqualTo("access_denied");
            await().untilAsserted(() -> assertThat(log.lines()).anySatisfy(line -> assertThat(line)
                    .contains("may remain in the bucket", id.toString(), exports.folder(id))));
            assertThat(bucket.keys(exports.folder(id))).isEmpty();
            assertThat(bucket.openUploads(exports.folder(id))).hasSize(1);
        }
    }

    @Test
    void readPermissionEnablesSizeVerification() {
        // Given
        Exports exports = exports();

        // When
        UUID id = exports.complete(MONDAY, MONDAY.plus(Duration.ofDays(2)), "");

        // Then
        Response runs = exports.client().runs(id);
        assertThat(
                (List<Boolean>) runs.path("findAll { it.metadata.result.rows_written == 100 }.metadata.result.sizes_verified"))
                .containsExactly(true);
        assertThat((List<Boolean>) runs.path("findAll { it.metadata.result.rows_written == 0 }.metadata.result.sizes_verified"))
                .containsOnlyNulls();
    }

    @Test
    void storesWithAndWithoutChecksumSupportAreWritten() {
        // Given
        proxy.always(StrictStoreRules::usesNewerChecksums, Fault.error(501, "NotImplemented"));
        proxy.always(StrictStoreRules::isContentWithoutChecksum, Fault.error(400, "InvalidRequest"));
        Exports exports = exports();

        // When
        UUID id = exports.complete(MONDAY, MONDAY.plus(Duration.ofDays(1)), "");

        // Then
        assertThat((int) exports.client().runs(id).path("[0].retry_number")).isZero();
        assertThat(rows(exports, id)).isEqualTo(100L);
    }

    @Test
    void bucketNameIsInKeysWhenConfigured() {
        // Given
        String prefix = "t" + UUID.randomUUID();
        Exports exports = Exports.create(dev.waybill.common.testing.Accounts.account().create(), prefix,
                Bucket.destination(prefix, true));
        Traces.runs(exports.tenantId(), exports.sessionId(), MONDAY, Duration.ofMinutes(1), 3);

        // When
        UUID id = exports.complete(MONDAY, MONDAY.plus(Duration.ofDays(1)), "");

        // Then
        String folder = Bucket.name() + "/" + exports.folder(id);
        assertThat(bucket.keys(folder)).contains(folder + "_manifest.json").hasSize(2);
        assertThat((String) exports.client().runs(id).path("[0].metadata.result.export_path")).startsWith(folder);
    }

    private void allowWritingOnly() {
        List.of("GetObject", "DeleteObject", "AbortMultipartUpload", "ListMultipartUploads")
                .forEach(call -> proxy.always(call, Fault.error(403, "AccessDenied")));
        proxy.always("HeadObject", new Fault.Respond(403, "application/xml", ""));
    }

    private Exports exports() {
        Exports exports = Exports.through(proxy.endpoint());
        Traces.runs(exports.tenantId(), exports.sessionId(), MONDAY, Duration.ofMinutes(1), 100);
        return exports;
    }

    private Object rows(Exports exports, UUID id) {
        return Duck.value(bucket.download(exports.folder(id)), "SELECT count(DISTINCT id) FROM files");
    }
}
