package dev.waybill.export.storage;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.StreamSupport;

import org.jspecify.annotations.Nullable;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import software.amazon.awssdk.core.async.AsyncRequestBody;
import software.amazon.awssdk.services.s3.S3AsyncClient;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.UploadPartResponse;

/** The multipart calls of the S3 protocol on one bucket. */
record S3MultipartClient(S3AsyncClient client, String bucket, ContentChecksum integrity, ObjectSettings settings)
        implements
            MultipartClient {

    private static final String BYTES = "application/octet-stream";
    private static final int SLICE = 128 << 10;
    private static final int TOKEN_VERSION = 1;

    @Override
    public CompletableFuture<String> create(String key) {
        AtomicInteger unacknowledged = new AtomicInteger();
        return client.createMultipartUpload(request -> request.bucket(bucket)
                .key(key)
                .contentType(BYTES)
                .acl(settings.acl())
                .serverSideEncryption(settings.encryption())
                .ssekmsKeyId(settings.kmsKeyId())
                .checksumAlgorithm(integrity.algorithm())
                .overrideConfiguration(
                        call -> call.putExecutionAttribute(S3Interceptors.UnacknowledgedAttempts.COUNT, unacknowledged)))
                .thenApply(started -> requireText(started.uploadId(), "the store started an upload without returning its id"))
                .thenCompose(id -> unacknowledged.get() == 0
                        ? CompletableFuture.completedFuture(id)
                        : failAmbiguousStart(key, id));
    }

    // An unacknowledged attempt may have started a second upload with an unknown id. Failing makes the worker search for it in
    // the store's list of uploads.
    private CompletableFuture<String> failAmbiguousStart(String key, String uploadId) {
        return abort(key, uploadId)
                .handle((aborted, ignored) -> null)
                .thenCompose(ignored -> CompletableFuture.failedFuture(new StorageException(StorageProblem.TIMEOUT,
                        "the start of an upload was acknowledged only after a retry")));
    }

    @Override
    public CompletableFuture<UploadedPart> uploadPart(String key, String uploadId, int number, ByteBuffer content) {
        int size = content.remaining();
        String md5 = integrity.contentMd5(content);
        return client.uploadPart(request -> request.bucket(bucket)
                .key(key)
                .uploadId(uploadId)
                .partNumber(number)
                .contentMD5(md5)
                .checksumAlgorithm(integrity.algorithm()),
                AsyncRequestBody.fromByteBuffersUnsafe(slices(content)))
                .thenApply(response -> uploaded(number, size, response));
    }

    @Override
    public String token(List<UploadedPart> parts) {
        JsonArray members = new JsonArray();
        parts.forEach(part -> members.add(new JsonObject()
                .put("number", part.number())
                .put("etag", part.etag())
                .put("size", part.size())
                .put("crc32", part.crc32())));
        return new JsonObject().put("version", TOKEN_VERSION).put("parts", members).encode();
    }

    /** Returns the parts of an upload from its token; tokens of the first releases have no version. */
    static List<UploadedPart> parts(PreparedUpload upload) {
        JsonObject token = new JsonObject(upload.token());
        int version = token.getInteger("version", TOKEN_VERSION);
        if (version != TOKEN_VERSION) {
            throw new IllegalStateException("the upload of " + upload.key() + " has a token of a later version: " + version);
        }
        return StreamSupport.stream(token.getJsonArray("parts").spliterator(), false)
                .map(JsonObject.class::cast)
                .map(part -> new UploadedPart(part.getInteger("number"), part.getString("etag"), part.getLong("size"),
                        part.getString("crc32")))
                .toList();
    }

    @Override
    public CompletableFuture<Void> abort(String key, String uploadId) {
        return client.abortMultipartUpload(request -> request.bucket(bucket).key(key).uploadId(uploadId))
                .thenApply(response -> null);
    }

    /**
     * Makes the object visible; most stores fail with UPLOAD_GONE if it is repeated after success.
     *
     * @return the object's entity tag; empty if the store returns none (Ceph 16)
     */
    CompletableFuture<String> complete(PreparedUpload upload) {
        CompletedPart[] parts = parts(upload).stream().map(S3MultipartClient::completed).toArray(CompletedPart[]::new);
        return client.completeMultipartUpload(request -> request.bucket(bucket)
                .key(upload.key())
                .uploadId(upload.uploadId())
                .multipartUpload(all -> all.parts(parts)))
                .thenApply(response -> S3ObjectStore.normalizeEtag(response.eTag()));
    }

    // Netty copies each slice out of the heap only when the socket can accept it.
    private static ByteBuffer[] slices(ByteBuffer content) {
        ByteBuffer[] slices = new ByteBuffer[Math.max(1, Math.ceilDiv(content.remaining(), SLICE))];
        for (int i = 0; i < slices.length; i++) {
            int start = i * SLICE;
            slices[i] = content.slice(content.position() + start, Math.min(SLICE, content.remaining() - start));
        }
        return slices;
    }

    private static UploadedPart uploaded(int number, int size, UploadPartResponse response) {
        return new UploadedPart(number,
                requireText(response.eTag(), "the store accepted a part without returning an entity tag"), size,
                response.checksumCRC32());
    }

    private static CompletedPart completed(UploadedPart part) {
        return CompletedPart.builder().partNumber(part.number()).eTag(part.etag()).checksumCRC32(part.crc32()).build();
    }

    // A server that returns 200 to every request is not an S3 store.
    private static String requireText(@Nullable String value, String details) {
        if (value == null || value.isBlank()) {
            throw new StorageException(StorageProblem.NOT_S3, details);
        }
        return value;
    }
}
