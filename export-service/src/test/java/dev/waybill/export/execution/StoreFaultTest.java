package dev.waybill.export.execution;

import static dev.waybill.common.testing.Patience.await;
import static dev.waybill.export.Exports.MONDAY;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.UUID;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import dev.waybill.export.Bucket;
import dev.waybill.export.ExportServiceTest;
import dev.waybill.export.Exports;
import dev.waybill.export.Traces;
import dev.waybill.export.storage.FaultProxy;
import dev.waybill.export.storage.FaultProxy.Fault;

/** Faults F7 to F11 of a store during an export: it ends Completed without loss, or Failed with the true cause. */
@ExportServiceTest
class StoreFaultTest {

    private static final Fault ERROR_IN_SUCCESS = new Fault.Respond(200, "application/xml", """
            <?xml version="1.0" encoding="UTF-8"?>
            <Error><Code>InternalError</Code><Message>We encountered an internal error.</Message></Error>""");

    private Bucket bucket;
    private FaultProxy proxy;
    private Exports exports;

    // Not a field initializer: the service must be listening.
    @BeforeEach
    void open() {
        bucket = new Bucket();
        proxy = FaultProxy.before(Bucket.endpoint());
        exports = Exports.through(proxy.endpoint());
        Traces.runs(exports.tenantId(), exports.sessionId(), MONDAY, Duration.ofMinutes(10), 100);
        // Drops the requests of the destination's validation.
        proxy.clear();
    }

    @AfterEach
    void close() {
        proxy.close();
        bucket.close();
    }

    static Stream<Arguments> passingFaults() {
        return Stream.of(
                Arguments.of("an error of the store's own", Fault.error(500, "InternalError")),
                Arguments.of("slow down", Fault.error(503, "SlowDown")),
                Arguments.of("a request that took too long", Fault.error(400, "RequestTimeout")),
                Arguments.of("a reset connection", new Fault.Drop()),
                Arguments.of("a lost response", new Fault.DropAfter()),
                Arguments.of("a black hole", new Fault.NoResponse()));
    }

    @Tag("full")
    @ParameterizedTest(name = "{0}")
    @MethodSource("passingFaults")
    void failedPartIsSentAgain(String name, Fault fault) {
        // Given
        proxy.times(1, "UploadPart", fault);

        // When
        ExportAssertions aftermath = export();

        // Then
        aftermath.assertComplete();
        assertThat((int) aftermath.runs().path("[0].retry_number")).isZero();
        assertThat(calls("UploadPart")).isEqualTo(2);
    }

    @Test
    void errorInSuccessResponseIsDetectedAndCommitIsRepeated() {
        // Given: more failures than the client's retries
        proxy.times(4, "CompleteMultipartUpload", ERROR_IN_SUCCESS);

        // When
        ExportAssertions aftermath = export();

        // Then: the rows were written once
        aftermath.assertComplete();
        assertThat((String) aftermath.runs().path("[0].errors.'1'.code")).isEqualTo("unavailable");
        assertThat(calls("CreateMultipartUpload")).isEqualTo(1);
    }

    @Test
    void completionWithoutResponseIsDetectedFromObject() {
        // Given: completions take effect, but their responses are lost
        proxy.always("CompleteMultipartUpload", new Fault.DropAfter());

        // When
        ExportAssertions aftermath = export();

        // Then
        aftermath.assertComplete();
        assertThat(calls("CreateMultipartUpload")).isEqualTo(1);
    }

    @Tag("full")
    @Test
    void uploadLostTwiceFailsRun() {
        // Given
        proxy.always("CompleteMultipartUpload", Fault.error(404, "NoSuchUpload"));

        // When
        ExportAssertions aftermath = export();

        // Then: restarted once
        aftermath.assertFailed();
        assertThat((String) aftermath.runs().path("[0].errors.'1'.code")).isEqualTo("upload_gone");
        assertThat((String) aftermath.runs().path("[0].errors.'2'.code")).isEqualTo("upload_gone");
        assertThat((int) aftermath.runs().path("[0].errors.size()")).isEqualTo(2);
        assertThat(calls("CreateMultipartUpload")).isEqualTo(2);
    }

    @Tag("full")
    @Test
    void unacknowledgedUploadIsFoundAndAborted() {
        // Given: the store starts an upload without a response, and the client retries
        proxy.times(1, "CreateMultipartUpload", new Fault.DropAfter());

        // When
        ExportAssertions aftermath = export();

        // Then
        aftermath.assertComplete();
        assertThat((String) aftermath.runs().path("[0].errors.'1'.code")).isEqualTo("timeout");
        assertThat(calls("CreateMultipartUpload")).isEqualTo(3);
    }

    @Tag("full")
    @Test
    void lateUploadOfCompletedRunIsAbortedWithoutFileLoss() {
        // Given
        ExportAssertions aftermath = export();
        aftermath.assertComplete();
        String file = aftermath.runs().path("[0].metadata.result.exported_files[0]");
        bucket.leaveUpload(file);

        // When: the run has the state of a second attempt
        Traces.execute("UPDATE export.runs SET uploads_open = true, next_sweep_at = now() WHERE tenant_id = ?",
                exports.tenantId());

        // Then
        aftermath.assertComplete();
    }

    static Stream<Fault> otherObjects() {
        return Stream.of(new Fault.OtherSize(7), new Fault.OtherTag("0123456789abcdef0123456789abcdef-1"));
    }

    @ParameterizedTest
    @MethodSource("otherObjects")
    void wrongObjectFailsRunAndIsDeleted(Fault fault) {
        // Given
        proxy.always("HeadObject", fault);

        // When
        ExportAssertions aftermath = export();

        // Then
        aftermath.assertFailed();
        assertThat((String) aftermath.runs().path("[0].errors.'1'.code")).isEqualTo("content_mismatch");
        assertThat(bucket.keys(exports.prefix())).isEmpty();
    }

    @Tag("full")
    @ParameterizedTest
    @CsvSource({
            "UploadPart, 403, AccessDenied, Access denied",
            "UploadPart, 403, InvalidAccessKeyId, Key ID you provided does not exist",
            "UploadPart, 403, SignatureDoesNotMatch, Access denied",
            "UploadPart, 404, NoSuchBucket, Bucket is not valid",
            "UploadPart, 400, ExpiredToken, Access denied",
            "CreateMultipartUpload, 301, PermanentRedirect, Bucket is not valid",
            "CompleteMultipartUpload, 403, AccessDenied, Access denied",
            "CompleteMultipartUpload, 403, InvalidAccessKeyId, Key ID you provided does not exist",
            "CompleteMultipartUpload, 404, NoSuchBucket, Bucket is not valid",
            "CompleteMultipartUpload, 400, ExpiredToken, Access denied",
    })
    void ownerErrorsFailImmediatelyWithDocumentedName(String operation, int status, String code, String name) {
        // Given: a destination that was valid
        proxy.times(1, operation, new Fault.None()).always(operation, Fault.error(status, code));
        Traces.runs(exports.tenantId(), exports.sessionId(), MONDAY.plus(Duration.ofDays(1)), Duration.ofHours(6), 10);

        // When
        UUID id = exports.start(MONDAY, MONDAY.plus(Duration.ofDays(4)), "");

        // Then: neither a day nor a call is retried
        ExportAssertions aftermath = new ExportAssertions(bucket, exports, id);
        aftermath.assertFailed();
        assertThat(aftermath.runs().<Integer> path("findAll { it.status == 'Failed' }.size()")).isEqualTo(1);
        assertThat((String) aftermath.runs().path("find { it.status == 'Failed' }.errors.'1'.message")).startsWith(name + ": ");
        assertThat(aftermath.runs().<Integer> path("collect { it.errors.size() }.max()")).isEqualTo(1);
        assertThat(calls(operation)).isLessThanOrEqualTo(4);
    }

    @Tag("full")
    @ParameterizedTest
    @CsvSource({ "CreateMultipartUpload, 403, QuotaExceeded", "UploadPart, 403, QuotaExceeded",
            "CompleteMultipartUpload, 507, XMinioStorageFull", "PutObject, 507, InsufficientStorage" })
    void fullBucketIsRetriedLikeAnOutage(String operation, int status, String code) {
        // Given
        proxy.times(2, operation, Fault.error(status, code));

        // When
        ExportAssertions aftermath = export();

        // Then
        aftermath.assertComplete();
        if (!operation.equals("PutObject")) {
            assertThat((String) aftermath.runs().path("[0].errors.'1'.code")).isEqualTo("quota_exceeded");
            assertThat((String) aftermath.runs().path("[0].errors.'1'.message")).startsWith("The bucket, its account");
        }
    }

    @Tag("full")
    @Test
    void manifestWithoutResponseIsDeletedOnCancellation() {
        // Given: the manifest exists, and its writer waits for the response
        proxy.always("PutObject", new Fault.NoResponseAfter());
        UUID id = exports.start(MONDAY, MONDAY.plus(Duration.ofDays(1)), "");
        await().untilAsserted(() -> assertThat(bucket.keys(exports.prefix())).anyMatch(StoreFaultTest::isManifest));

        // When
        exports.client().cancel(id);

        // Then
        exports.awaitStatus(id, "Cancelled");
        await().untilAsserted(() -> assertThat(bucket.keys(exports.prefix())).noneMatch(StoreFaultTest::isManifest));
    }

    private static boolean isManifest(String key) {
        return key.endsWith("_manifest.json");
    }

    private ExportAssertions export() {
        return new ExportAssertions(bucket, exports, exports.start(MONDAY, MONDAY.plus(Duration.ofDays(1)), ""));
    }

    private long calls(String operation) {
        return proxy.calls().stream().filter(call -> call.operation().equals(operation)).count();
    }
}
