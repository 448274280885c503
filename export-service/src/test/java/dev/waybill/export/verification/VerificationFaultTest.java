package dev.waybill.export.verification;

import static dev.waybill.common.testing.Patience.await;
import static dev.waybill.export.Exports.MONDAY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.waybill.export.Bucket;
import dev.waybill.export.Client;
import dev.waybill.export.ExportServiceTest;
import dev.waybill.export.Exports;
import dev.waybill.export.Traces;
import dev.waybill.export.storage.FaultProxy;
import dev.waybill.export.storage.FaultProxy.Fault;
import dev.waybill.export.storage.FaultProxy.S3Call;
import io.restassured.response.Response;

/** Verifications with workers that are lost and stores that fail or deny access. */
@ExportServiceTest
@Tag("full")
class VerificationFaultTest {

    private static final int DAYS = 4;

    private Bucket bucket;
    private FaultProxy proxy;
    private Exports exports;
    private Verifications verifications;

    // Not a field initializer: the service must be listening.
    @BeforeEach
    void open() {
        bucket = new Bucket();
        proxy = FaultProxy.before(Bucket.endpoint());
        exports = Exports.through(proxy.endpoint());
        verifications = new Verifications(exports);
    }

    @AfterEach
    void close() {
        proxy.close();
        bucket.close();
    }

    @Test
    void everyFileIsReadOnce() {
        // Given
        UUID id = export();
        List<String> files = files(id);
        proxy.clear();

        // When
        Response verified = verifications.perform(id);

        // Then
        assertThat((boolean) verified.path("result.intact")).isTrue();
        assertThat(proxy.calls()).filteredOn(call -> call.operation().equals("GetObject"))
                .extracting(VerificationFaultTest::key)
                .containsExactlyInAnyOrder(files.get(0), files.get(1), files.get(2), files.get(3),
                        exports.folder(id) + "_manifest.json");
        assertThat(proxy.calls()).extracting(S3Call::operation).containsOnly("GetObject", "ListObjects");
    }

    @Test
    void anotherWorkerContinuesAfterTheCheckedFiles() {
        // Given: a worker that has read two files and waits for the third
        UUID id = export();
        List<String> files = files(id);
        proxy.clear();
        bucket.put(files.get(0), new byte[] { 1 });
        CompletableFuture<Void> end = new CompletableFuture<>();
        proxy.times(2, call -> isRead(call, files.get(2)) || isRead(call, files.get(3)), new Fault.Block(end));
        String verification = verifications.create(id).path("id");
        await().untilAsserted(
                () -> assertThat((int) verifications.get(id, verification).path("progress.files_checked")).isEqualTo(2));

        // When: the lease expires, as if the worker's process had died
        Traces.execute(
                "UPDATE export.verifications SET lease_token = lease_token + 1, lease_until = now() - interval '1 second'"
                        + " WHERE tenant_id = ?",
                exports.tenantId());
        Response verified = verifications.awaitEnd(id, verification);

        // Then
        end.complete(null);
        assertThat(Verifications.mismatches(verified)).containsExactly(tuple(files.get(0), "truncated"));
        assertThat((int) verified.path("result.rows_in_files")).isEqualTo(300);
        assertThat(proxy.calls()).filteredOn(call -> isRead(call, files.get(0))).hasSize(1);
        assertThat(proxy.calls()).filteredOn(call -> isRead(call, files.get(1))).hasSize(1);
    }

    @Test
    void failingStoreIsRetried() {
        // Given: more failures than the client of the store retries
        UUID id = export();
        proxy.times(4, "GetObject", Fault.error(500, "InternalError"));
        proxy.times(4, "ListObjects", new Fault.Drop());

        // When
        Response verified = verifications.perform(id);

        // Then
        assertThat((boolean) verified.path("result.intact")).isTrue();
        assertThat((int) verified.path("result.rows_in_files")).isEqualTo(400);
    }

    @Test
    void unavailableStoreFailsTheVerification() {
        // Given
        UUID id = export();
        proxy.always("GetObject", Fault.error(500, "InternalError"));

        // When
        Response failed = verifications.perform(id);

        // Then
        assertThat((String) failed.path("status")).isEqualTo("Failed");
        assertThat((String) failed.path("error.code")).isEqualTo("unavailable");
        assertThat((String) failed.path("error.at")).isEqualTo(failed.path("finished_at"));
        assertThat((Object) failed.path("result")).isNull();
        assertThat((Object) failed.path("receipt")).isNull();
    }

    @Test
    void deniedReadingFailsWithTheMissingPermission() {
        UUID id = export();
        proxy.always("GetObject", Fault.error(403, "AccessDenied"));

        Response failed = verifications.perform(id);

        assertThat((String) failed.path("error.code")).isEqualTo("access_denied");
        assertThat((String) failed.path("error.message")).contains("permit reading and listing");
    }

    /** Without the permission to list, S3 denies access to objects that do not exist. */
    @Test
    void deniedFileBesideReadableManifestIsMissing() {
        UUID id = export();
        List<String> files = files(id);
        proxy.always(call -> isRead(call, files.get(1)), Fault.error(403, "AccessDenied"));
        proxy.always("ListObjects", Fault.error(403, "AccessDenied"));

        Response verified = verifications.perform(id);

        assertThat(Verifications.mismatches(verified)).containsExactly(tuple(files.get(1), "missing"));
        assertThat((boolean) verified.path("result.objects_listed")).isFalse();
    }

    @Test
    void permissionLostAfterTheManifestFailsTheVerification() {
        // Given
        UUID id = export();
        String manifest = exports.folder(id) + "_manifest.json";
        proxy.times(1, call -> isRead(call, manifest), new Fault.None());
        proxy.always("GetObject", Fault.error(403, "AccessDenied"));

        // When
        Response failed = verifications.perform(id);

        // Then
        assertThat((String) failed.path("status")).isEqualTo("Failed");
        assertThat((String) failed.path("error.code")).isEqualTo("access_denied");
        assertThat((Object) failed.path("result")).isNull();
    }

    @Test
    void archivedFileFailsTheVerification() {
        // Given
        UUID id = export();
        List<String> files = files(id);
        proxy.always(call -> isRead(call, files.get(1)), Fault.error(403, "InvalidObjectState"));

        // When
        Response failed = verifications.perform(id);

        // Then
        assertThat((String) failed.path("status")).isEqualTo("Failed");
        assertThat((String) failed.path("error.code")).isEqualTo("object_archived");
        assertThat((String) failed.path("error.message")).contains("archive").contains("restore");
    }

    @Test
    void deniedListingIsRecordedInResultAndReceipt() {
        UUID id = export();
        proxy.always("ListObjects", Fault.error(403, "AccessDenied"));

        Response verified = verifications.perform(id);

        assertThat((boolean) verified.path("result.intact")).isTrue();
        assertThat((boolean) verified.path("result.objects_listed")).isFalse();
        assertThat((String) verified.path("receipt.payload")).contains("\"objects_listed\":false");
    }

    @Test
    void deletedDestinationFailsTheVerification() {
        UUID id = export();
        assertThat(exports.client().delete(Client.EXPORTS + "/destinations/" + exports.destinationId()).statusCode())
                .isEqualTo(204);

        Response failed = verifications.perform(id);

        assertThat((String) failed.path("status")).isEqualTo("Failed");
        assertThat((String) failed.path("error.code")).isEqualTo("destination_gone");
    }

    @Test
    void overdueVerificationTimesOut() {
        // Given
        UUID id = export();
        String verification = verifications.perform(id).path("id");
        Traces.execute("UPDATE export.verifications SET status = 'Running', finished_at = NULL, intact = NULL, receipt = NULL,"
                + " started_at = now() - interval '25 hours' WHERE tenant_id = ?", exports.tenantId());

        // When
        Response failed = verifications.awaitEnd(id, verification);

        // Then
        assertThat((String) failed.path("error.code")).isEqualTo("timed_out");
    }

    private UUID export() {
        Traces.runs(exports.tenantId(), exports.sessionId(), MONDAY, Duration.ofSeconds(864), DAYS * 100);
        return exports.complete(MONDAY, MONDAY.plus(Duration.ofDays(DAYS)), "");
    }

    private List<String> files(UUID exportId) {
        return exports.client().get(Client.EXPORTS + "/" + exportId + "/files").path("path");
    }

    private static boolean isRead(S3Call call, String key) {
        return call.operation().equals("GetObject") && key(call).equals(key);
    }

    private static String key(S3Call call) {
        String path = URLDecoder.decode(call.path(), StandardCharsets.UTF_8);
        return path.substring(path.indexOf('/', 1) + 1);
    }
}
