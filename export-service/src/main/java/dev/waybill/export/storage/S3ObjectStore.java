package dev.waybill.export.storage;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.smallrye.mutiny.vertx.MutinyHelper;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import software.amazon.awssdk.core.async.AsyncRequestBody;
import software.amazon.awssdk.core.async.AsyncResponseTransformer;
import software.amazon.awssdk.services.s3.S3AsyncClient;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.ListMultipartUploadsResponse;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** An {@link ObjectStore} that uses the AWS SDK's asynchronous S3 client. */
final class S3ObjectStore implements ObjectStore {

    private final S3AsyncClient client;
    private final String bucket;
    private final S3MultipartClient multipart;
    private final ContentChecksum integrity;
    private final ObjectSettings settings;

    S3ObjectStore(S3AsyncClient client, BucketAccess access) {
        this.client = client;
        this.bucket = access.bucket();
        this.integrity = ContentChecksum.of(access);
        this.settings = access.settings();
        this.multipart = new S3MultipartClient(client, bucket, integrity, settings);
    }

    @Override
    public Uni<Void> put(String key, byte[] content, String contentType) {
        return put(key, content, contentType, null);
    }

    @Override
    public Uni<Void> putNew(String key, byte[] content, String contentType) {
        return put(key, content, contentType, "*")
                .onFailure(e -> is(e, StorageProblem.NOT_SUPPORTED) || is(e, StorageProblem.REJECTED))
                .recoverWithUni(() -> put(key, content, contentType));
    }

    private Uni<Void> put(String key, byte[] content, String contentType, @Nullable String ifNoneMatch) {
        return call(() -> client.putObject(request -> request.bucket(bucket)
                .key(key)
                .contentType(contentType)
                .contentMD5(integrity.contentMd5(ByteBuffer.wrap(content)))
                .acl(settings.acl())
                .serverSideEncryption(settings.encryption())
                .ssekmsKeyId(settings.kmsKeyId())
                .ifNoneMatch(ifNoneMatch),
                AsyncRequestBody.fromBytesUnsafe(content)))
                .replaceWithVoid();
    }

    @Override
    public Uni<Optional<StoredObject>> head(String key) {
        return call(() -> client.headObject(request -> request.bucket(bucket).key(key))
                .exceptionallyCompose(S3ObjectStore::headFailure))
                .map(S3ObjectStore::stored)
                .map(Optional::of)
                .onFailure(e -> is(e, StorageProblem.NO_SUCH_OBJECT)).recoverWithItem(Optional.empty());
    }

    @Override
    public Uni<byte[]> get(String key, int maxBytes) {
        return call(() -> client.getObject(request -> request.bucket(bucket).key(key),
                AsyncResponseTransformer.toBytes()))
                .map(response -> requireAtMost(maxBytes, response.asByteArrayUnsafe()));
    }

    @Override
    public Uni<Void> delete(String key) {
        return call(() -> client.deleteObject(request -> request.bucket(bucket).key(key)))
                .replaceWithVoid()
                .onFailure(e -> is(e, StorageProblem.NO_SUCH_OBJECT)).recoverWithNull();
    }

    @Override
    public MultipartOutputStream upload(String key) {
        return new MultipartOutputStream(multipart, key);
    }

    @Override
    public Uni<CompletedUpload> complete(PreparedUpload upload) {
        return new UploadCompletion(this, call(() -> multipart.complete(upload)), upload).run();
    }

    @Override
    public Uni<Void> abort(String key, String uploadId) {
        return call(() -> multipart.abort(key, uploadId))
                .onFailure(e -> is(e, StorageProblem.UPLOAD_GONE)).recoverWithNull();
    }

    @Override
    public Uni<List<IncompleteUpload>> listUploads(String keyPrefix) {
        return call(() -> client.listMultipartUploads(request -> request.bucket(bucket).prefix(keyPrefix)))
                .map(S3ObjectStore::openUploads);
    }

    @Override
    public void close() {
        client.close();
    }

    private static <T> Uni<T> call(Supplier<CompletableFuture<T>> call) {
        return Uni.createFrom().deferred(() -> {
            Context context = Vertx.currentContext();
            return Uni.createFrom().completionStage(call)
                    .emitOn(context == null ? Infrastructure.getDefaultExecutor() : MutinyHelper.executor(context))
                    .onFailure().transform(StorageExceptionMapper::from);
        });
    }

    // A response to HEAD has no body, hence no error code; only its status can be classified.
    private static CompletableFuture<HeadObjectResponse> headFailure(Throwable failure) {
        StorageException known = StorageExceptionMapper.from(failure);
        Throwable cause = failure.getCause() == null ? failure : failure.getCause();
        if (known.problem() == StorageProblem.NOT_S3 && cause instanceof S3Exception response) {
            StorageProblem problem = switch (response.statusCode()) {
                case 401, 403 -> StorageProblem.ACCESS_DENIED;
                case 404 -> StorageProblem.NO_SUCH_OBJECT;
                case 301, 307 -> StorageProblem.WRONG_REGION;
                default -> StorageProblem.REJECTED;
            };
            return CompletableFuture.failedFuture(new StorageException(problem, "HEAD: HTTP " + response.statusCode()));
        }
        return CompletableFuture.failedFuture(known);
    }

    private static StoredObject stored(HeadObjectResponse response) {
        return new StoredObject(response.contentLength() == null ? -1 : response.contentLength(),
                normalizeEtag(response.eTag()));
    }

    /** Returns an entity tag without quotes and in lower case, because stores differ in both; empty for null. */
    static String normalizeEtag(@Nullable String etag) {
        return etag == null ? "" : etag.replace("\"", "").strip().toLowerCase(Locale.ROOT);
    }

    private static List<IncompleteUpload> openUploads(ListMultipartUploadsResponse response) {
        return response.uploads().stream()
                .map(upload -> new IncompleteUpload(upload.key(), upload.uploadId(), upload.initiated()))
                .toList();
    }

    private static byte[] requireAtMost(int maxBytes, byte[] content) {
        if (content.length > maxBytes) {
            throw new StorageException(StorageProblem.CONTENT_MISMATCH, "more than " + maxBytes + " bytes");
        }
        return content;
    }

    static boolean is(Throwable failure, StorageProblem problem) {
        return failure instanceof StorageException known && known.problem() == problem;
    }
}
