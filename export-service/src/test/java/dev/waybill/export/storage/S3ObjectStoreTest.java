package dev.waybill.export.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.waybill.common.testing.Patience;
import dev.waybill.common.testing.S3Resource;
import dev.waybill.export.storage.FaultProxy.Fault;
import dev.waybill.export.storage.ObjectStore.CompletedUpload;
import dev.waybill.export.storage.ObjectStore.IncompleteUpload;
import dev.waybill.local.storage.FreePort;
import dev.waybill.local.storage.S3Server;
import io.smallrye.mutiny.Uni;

/** Tests {@link S3ObjectStore} with the real protocol; a proxy injects faults (F7 to F13). */
class S3ObjectStoreTest extends ObjectStoreContract {

    private static S3Server server;
    private static FaultProxy proxy;
    private static S3StoreFactory stores;

    @BeforeAll
    static void start() {
        server = S3Resource.startServer();
        proxy = FaultProxy.before(server.endpoint());
        stores = TestStorage.stores("127.0.0.0/8");
    }

    @AfterAll
    static void stop() {
        proxy.close();
        server.close();
    }

    @Override
    protected ObjectStore open() {
        proxy.clear();
        return stores.open(TestStorage.access(proxy.endpoint(), server));
    }

    @Override
    protected byte[] content(String objectKey) throws IOException {
        return Files.readAllBytes(server.directory().resolve("exports").resolve(objectKey));
    }

    @Test
    void partsOfOneUploadHaveTheSameSize() throws IOException {
        PreparedUpload prepared = upload(random(2 * PART + 12_345));

        assertThat(S3MultipartClient.parts(prepared)).extracting(UploadedPart::size)
                .containsExactly((long) PART, (long) PART, 12_345L);
    }

    @Test
    void tokenWithoutVersionIsCompleted() throws IOException {
        PreparedUpload prepared = upload(random(1000));
        assertThat(prepared.token()).startsWith("{\"version\":1,");
        String old = prepared.token().replace("\"version\":1,", "");

        assertThat(await(store.complete(new PreparedUpload(key, prepared.uploadId(), old, 1000, prepared.sha256()))).verified())
                .isTrue();
    }

    @Test
    void tokenOfLaterVersionIsRejected() {
        PreparedUpload later = new PreparedUpload(key, "id", "{\"version\":2}", 1000, "00");

        assertThatThrownBy(() -> await(store.complete(later))).isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("later version: 2");
    }

    @Test
    void completionWithLostResponseSucceeds() throws IOException {
        PreparedUpload prepared = upload(random(1000));
        proxy.times(1, "CompleteMultipartUpload", new Fault.DropAfter());

        CompletedUpload completed = await(store.complete(prepared));

        assertThat(completed.verified()).isTrue();
        assertThat(proxy.calls()).filteredOn(call -> call.operation().equals("CompleteMultipartUpload")).hasSizeBetween(2, 3);
    }

    @Test
    void errorWithStatus200Fails() throws IOException {
        PreparedUpload prepared = upload(random(1000));
        proxy.always("CompleteMultipartUpload", new Fault.Respond(200, "application/xml", """
                <?xml version="1.0" encoding="UTF-8"?>
                <Error><Code>InternalError</Code><Message>We encountered an internal error.</Message></Error>"""));

        assertFails(store.complete(prepared), StorageProblem.UNAVAILABLE, false);

        proxy.clear();
        assertThat(await(store.head(key))).isEmpty();
        assertThat(await(store.complete(prepared)).verified()).isTrue();
    }

    @Test
    void objectOfAnotherSizeIsDeletedAndFails() throws IOException {
        PreparedUpload prepared = upload(random(1000));
        proxy.times(1, "HeadObject", new Fault.OtherSize(999));

        assertFails(store.complete(prepared), StorageProblem.CONTENT_MISMATCH, true);

        assertThat(await(store.head(key))).isEmpty();
    }

    static Stream<Fault> completionsWithoutEntityTag() {
        return Stream.of("<ETag></ETag>", "<ETag>\"\"</ETag>", "").map(tag -> new Fault.RespondAfter(200, """
                <?xml version="1.0" encoding="UTF-8"?>
                <CompleteMultipartUploadResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">
                <Bucket>exports</Bucket>%s</CompleteMultipartUploadResult>""".formatted(tag)));
    }

    @ParameterizedTest
    @MethodSource("completionsWithoutEntityTag")
    void completionWithoutEntityTagIsVerifiedBySize(Fault fault) throws IOException {
        proxy.always("CompleteMultipartUpload", fault);

        CompletedUpload completed = await(store.complete(upload(random(PART + 1))));

        assertThat(completed.verified()).isTrue();
        assertThat(calls("CompleteMultipartUpload")).isEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource("completionsWithoutEntityTag")
    void completionWithoutEntityTagOfAnotherSizeFails(Fault fault) throws IOException {
        proxy.always("CompleteMultipartUpload", fault);
        proxy.times(1, "HeadObject", new Fault.OtherSize(999));

        assertFails(store.complete(upload(random(1000))), StorageProblem.CONTENT_MISMATCH, true);
    }

    @ParameterizedTest
    @MethodSource("completionsWithoutEntityTag")
    void completionWithoutEntityTagOrReadPermissionIsUnverified(Fault fault) throws IOException {
        proxy.always("CompleteMultipartUpload", fault);
        proxy.always("HeadObject", new Fault.Respond(403, "application/xml", ""));

        CompletedUpload completed = await(store.complete(upload(random(1000))));

        assertThat(completed.verified()).isFalse();
        assertThat(calls("CompleteMultipartUpload")).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({
            "403, QuotaExceeded, QUOTA_EXCEEDED",
            "403, InsufficientStorageSpace, QUOTA_EXCEEDED",
            "403, StorageCapExceeded, QUOTA_EXCEEDED",
            "400, XMinioAdminBucketQuotaExceeded, QUOTA_EXCEEDED",
            "507, XMinioStorageFull, QUOTA_EXCEEDED",
            "507, InsufficientStorage, QUOTA_EXCEEDED",
            "507, Whatever, QUOTA_EXCEEDED",
            "429, QuotaExceeded, THROTTLED",
            "400, KMS.NotFoundException, ENCRYPTION_KEY_UNUSABLE",
            "400, KMS.DisabledException, ENCRYPTION_KEY_UNUSABLE",
            "400, KMS.KMSInvalidStateException, ENCRYPTION_KEY_UNUSABLE",
            "400, XMinioKMSKeyNotFound, ENCRYPTION_KEY_UNUSABLE",
            "400, KMS.ThrottlingException, UNAVAILABLE",
            "500, KMS.KMSInternalException, UNAVAILABLE",
            "400, AccessControlListNotSupported, ACL_NOT_SUPPORTED",
    })
    void quotaAndKeyErrorsAreClassified(int status, String code, StorageProblem problem) {
        proxy.always("PutObject", Fault.error(status, code));

        assertFails(store.put(key, random(10), "text/plain"), problem, problem == StorageProblem.ENCRYPTION_KEY_UNUSABLE
                || problem == StorageProblem.ACL_NOT_SUPPORTED);
    }

    @Test
    void deniedKeyDiffersFromDeniedBucket() {
        proxy.always("PutObject", new Fault.Respond(403, "application/xml", """
                <?xml version="1.0" encoding="UTF-8"?>
                <Error><Code>AccessDenied</Code><Message>User: arn:aws:iam::1:user/proxy is not authorized to perform: \
                kms:GenerateDataKey on this resource because no identity-based policy allows it</Message></Error>"""));

        assertFails(store.put(key, random(10), "text/plain"), StorageProblem.ENCRYPTION_KEY_UNUSABLE, true);
    }

    @Test
    void sizeIsUnverifiedWithoutReadPermission() throws IOException {
        proxy.always("HeadObject", new Fault.Respond(403, "application/xml", ""));
        proxy.always("GetObject", Fault.error(403, "AccessDenied"));

        CompletedUpload completed = await(store.complete(upload(random(1000))));

        assertThat(completed.verified()).isFalse();
        assertFails(store.head(key), StorageProblem.ACCESS_DENIED, true);
    }

    @Test
    void failedPartsAreRetried() throws IOException {
        // One fault per part, below the maximum number of attempts.
        proxy.times(1, call -> call.query().contains("partNumber=1"), Fault.error(500, "InternalError"));
        proxy.times(1, call -> call.query().contains("partNumber=2"), Fault.error(503, "SlowDown"));
        proxy.times(1, call -> call.query().contains("partNumber=3"), new Fault.Drop());
        byte[] content = random(3 * PART);

        await(store.complete(upload(content)));

        assertThat(sha256(content(key))).isEqualTo(sha256(content));
    }

    @Test
    void failedPartFailsTheWriterAndAbortSucceeds() throws IOException {
        proxy.always("UploadPart", Fault.error(403, "AccessDenied"));
        byte[] content = random(PART);

        try (MultipartOutputStream out = store.upload(key)) {
            assertThatThrownBy(() -> {
                for (int i = 0; i < 10; i++) {
                    out.write(content);
                }
                out.finishParts();
            }).isInstanceOfSatisfying(StorageException.class,
                    e -> assertThat(e.problem()).isEqualTo(StorageProblem.ACCESS_DENIED));
        }

        assertThat(proxy.calls()).extracting(FaultProxy.S3Call::operation).endsWith("AbortMultipartUpload");
        assertThat(await(store.listUploads("exports/"))).extracting(IncompleteUpload::key).doesNotContain(key);
    }

    @Test
    void failedStartFailsEveryWrite() throws IOException {
        proxy.always("CreateMultipartUpload", Fault.error(404, "NoSuchBucket"));
        byte[] content = random(PART);

        try (MultipartOutputStream out = store.upload(key)) {
            for (int i = 0; i < 5; i++) {
                assertThatThrownBy(() -> out.write(content)).isInstanceOfSatisfying(StorageException.class,
                        e -> assertThat(e.problem()).isEqualTo(StorageProblem.NO_SUCH_BUCKET));
            }
        }
    }

    @Test
    void slowStoreBlocksTheWriter() throws Exception {
        CompletableFuture<Void> release = new CompletableFuture<>();
        proxy.always("UploadPart", new Fault.Block(release));
        byte[] content = random(PART);

        Thread writer = Thread.ofVirtual().start(() -> {
            try (MultipartOutputStream out = store.upload(key)) {
                while (true) {
                    out.write(content);
                }
            } catch (IOException | StorageException e) {
                // Expected: the thread is interrupted below.
            }
        });

        Patience.await().during(Duration.ofMillis(500))
                .untilAsserted(() -> assertThat(partsInProgress()).hasSize(3));
        assertThat(writer.isAlive()).isTrue();
        proxy.clear();
        writer.interrupt();
        release.complete(null);
        assertThat(writer.join(Duration.ofMinutes(2))).isTrue();
    }

    @Test
    void requestsSuitStoresWithAndWithoutChecksumSupport() throws IOException {
        proxy.always(StrictStoreRules::usesNewerChecksums, Fault.error(501, "NotImplemented"));
        proxy.always(StrictStoreRules::isContentWithoutChecksum, Fault.error(400, "InvalidRequest"));
        byte[] content = random(PART + 1);

        await(store.putNew(key + ".txt", random(10), "text/plain"));
        await(store.complete(upload(content)));

        assertThat(sha256(content(key))).isEqualTo(sha256(content));
        assertThat(await(store.get(key + ".txt", 10))).hasSize(10);
    }

    @Test
    void corruptedContentIsRejected() {
        ObjectStore changing = stores.open(TestStorage.access(proxy.endpoint(), server));
        proxy.always("PutObject", new Fault.Corrupt());

        assertFails(changing.put(key, random(1000), "text/plain"), StorageProblem.REJECTED, true);

        proxy.clear();
        assertThat(await(store.head(key))).isEmpty();
    }

    @Test
    void putNewDoesNotOverwrite() {
        proxy.always("PutObject", Fault.error(412, "PreconditionFailed"));

        assertFails(store.putNew(key, random(10), "text/plain"), StorageProblem.ALREADY_THERE, true);

        assertThat(proxy.calls()).singleElement()
                .satisfies(call -> assertThat(call.headers()).containsEntry("If-None-Match", "*"));
    }

    @ParameterizedTest
    @CsvSource({ "501, NotImplemented", "400, InvalidArgument" })
    void putNewOverwritesWithoutConditionalWrites(int status, String code) {
        proxy.always(call -> call.headers().containsKey("If-None-Match"), Fault.error(status, code));

        await(store.putNew(key, random(10), "text/plain"));

        assertThat(await(store.head(key))).isPresent();
    }

    @ParameterizedTest
    @CsvSource({
            "403, InvalidAccessKeyId, UNKNOWN_KEY_ID, true",
            "403, SignatureDoesNotMatch, WRONG_SECRET, true",
            "403, AccessDenied, ACCESS_DENIED, true",
            "403, SomethingNew, ACCESS_DENIED, true",
            "400, ExpiredToken, EXPIRED_CREDENTIALS, true",
            "400, InvalidToken, EXPIRED_CREDENTIALS, true",
            "404, NoSuchBucket, NO_SUCH_BUCKET, true",
            "400, InvalidBucketName, NO_SUCH_BUCKET, true",
            "301, PermanentRedirect, WRONG_REGION, true",
            "400, AuthorizationHeaderMalformed, WRONG_REGION, true",
            "503, SlowDown, THROTTLED, false",
            "429, TooManyRequests, THROTTLED, false",
            "500, InternalError, UNAVAILABLE, false",
            "502, Whatever, UNAVAILABLE, false",
            "501, NotImplemented, NOT_SUPPORTED, true",
            "400, EntityTooLarge, REJECTED, true",
    })
    void errorCodesAreClassified(int status, String code, StorageProblem problem, boolean permanent) {
        proxy.always("PutObject", Fault.error(status, code));

        assertFails(store.put(key, random(10), "text/plain"), problem, permanent);
    }

    @Test
    void otherServersAreReportedAsNotS3() {
        proxy.always("PutObject", new Fault.Respond(404, "text/html", "<html><body>Not found</body></html>"));
        assertFails(store.put(key, random(10), "text/plain"), StorageProblem.NOT_S3, false);

        proxy.always("CreateMultipartUpload", new Fault.Respond(200, "text/html", "<html><body>Welcome</body></html>"));
        assertThatThrownBy(() -> upload(random(10))).isInstanceOfSatisfying(StorageException.class,
                e -> assertThat(e.problem()).isEqualTo(StorageProblem.NOT_S3));
    }

    @ParameterizedTest
    @ValueSource(ints = { 301, 302, 303, 307, 308 })
    void redirectsAreNotFollowed(int status) {
        try (FaultProxy canary = FaultProxy.before(server.endpoint())) {
            proxy.always(call -> true, new Fault.Redirect(status, canary.endpoint() + "/exports/" + key));
            PreparedUpload some = new PreparedUpload(key, "id",
                    "{\"parts\":[{\"number\":1,\"etag\":\"x\",\"size\":1}]}", 1, "");

            for (Uni<?> call : List.of(store.put(key, random(10), "text/plain"), store.putNew(key, random(10), "text/plain"),
                    store.head(key), store.get(key, 10), store.delete(key), store.listUploads("x"), store.abort(key, "id"),
                    store.complete(some))) {
                assertThatThrownBy(() -> await(call)).isInstanceOf(StorageException.class);
            }
            assertThatThrownBy(() -> upload(random(10))).isInstanceOf(StorageException.class);

            assertThat(proxy.calls()).isNotEmpty();
            assertThat(canary.calls()).isEmpty();
        }
    }

    @Test
    void endlessResponsesAreAborted() {
        proxy.always("ListMultipartUploads", new Fault.Respond(200, "application/xml",
                "<?xml version=\"1.0\"?><ListMultipartUploadsResult>" + "<Upload/>".repeat(1_200_000)));

        assertFails(store.listUploads(""), StorageProblem.NOT_S3, false);
    }

    @Test
    void xmlEntitiesAreNotExpanded() {
        proxy.always("ListMultipartUploads", new Fault.Respond(200, "application/xml", """
                <?xml version="1.0"?><!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>
                <ListMultipartUploadsResult><Upload><Key>&a;</Key></Upload></ListMultipartUploadsResult>"""));

        assertThatThrownBy(() -> await(store.listUploads(""))).isInstanceOf(StorageException.class);
    }

    @Test
    void forbiddenEndpointIsNotContacted() {
        ObjectStore guarded = TestStorage.stores().open(TestStorage.access(proxy.endpoint(), server));

        assertFails(guarded.put(key, random(10), "text/plain"), StorageProblem.FORBIDDEN_ADDRESS, true);

        assertThat(proxy.calls()).isEmpty();
    }

    @Test
    @Tag("full")
    void silentAndClosedEndpointsAreReported() {
        proxy.always("PutObject", new Fault.NoResponse());
        ObjectStore silent = TestStorage.impatientStores("127.0.0.0/8").open(TestStorage.access(proxy.endpoint(), server));
        stores.open(TestStorage.access(proxy.endpoint(), server)).close();

        assertFails(silent.put(key, random(10), "text/plain"), StorageProblem.TIMEOUT, false);

        ObjectStore closed = stores
                .open(TestStorage.access(java.net.URI.create("http://127.0.0.1:" + FreePort.find()), server));
        assertFails(closed.put(key, random(10), "text/plain"), StorageProblem.UNREACHABLE, false);
    }

    /** Counts parts instead of calls, because calls are retried. */
    private static Set<String> partsInProgress() {
        return proxy.calls().stream()
                .filter(call -> call.operation().equals("UploadPart"))
                .map(call -> call.query().replaceAll(".*(partNumber=[0-9]+).*", "$1"))
                .collect(Collectors.toSet());
    }

    private static long calls(String operation) {
        return proxy.calls().stream().filter(call -> call.operation().equals(operation)).count();
    }
}
