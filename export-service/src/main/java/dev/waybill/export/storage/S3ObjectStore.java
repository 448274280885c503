package dev.waybill.export.storage;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.regex.Pattern;

import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

import dev.waybill.common.id.Digests;
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

    private static final Logger LOG = Logger.getLogger(S3ObjectStore.class);

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
    public Uni<ObjectRange> getRange(String key, long offset, int length) {
        return call(() -> client.getObject(request -> request.bucket(bucket).key(key)
                .range("bytes=" + offset + "-" + (offset + length - 1)), AsyncResponseTransformer.toBytes())
                .thenApply(response -> S3Ranges.range(response.response(), response.asByteArrayUnsafe(), offset, length))
                .exceptionallyCompose(S3Ranges::endsBefore));
    }

    @Override
    public Uni<ObjectPage> list(String keyPrefix, @Nullable String token) {
        return call(() -> client.listObjectsV2(request -> request.bucket(bucket).prefix(keyPrefix).continuationToken(token)))
                .map(S3Ranges::page);
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
        return Uni.createFrom().deferred(() -> new Completion(upload).run());
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

    /**
     * Completes a prepared upload, whatever the outcome of earlier attempts: a missing upload was completed before if an object
     * with its size and entity tag exists. Then verifies the size if the credentials allow reading.
     */
    private final class Completion {

        private static final Pattern MD5 = Pattern.compile("[0-9a-f]{32}");

        private final PreparedUpload upload;
        private final List<UploadedPart> parts;

        Completion(PreparedUpload upload) {
            this.upload = upload;
            this.parts = S3MultipartClient.parts(upload);
        }

        Uni<CompletedUpload> run() {
            return call(() -> multipart.complete(upload))
                    .chain(this::verify)
                    .onFailure(Completion::mayHaveCompleted).recoverWithUni(this::findCompleted);
        }

        // The upload may have been completed before, or now with a lost response.
        private static boolean mayHaveCompleted(Throwable failure) {
            return failure instanceof StorageException known && !known.isPermanent();
        }

        private Uni<CompletedUpload> verify(String etag) {
            return head(upload.key())
                    .chain(found -> verified(found, etag))
                    .onFailure(e -> is(e, StorageProblem.ACCESS_DENIED))
                    .recoverWithItem(new CompletedUpload(upload.key(), etag, false));
        }

        private Uni<CompletedUpload> verified(Optional<StoredObject> found, String etag) {
            // Without an entity tag in the response, only the size can be compared.
            boolean same = found.isPresent() && found.get().size() == upload.size()
                    && (etag.isEmpty() || found.get().etag().equals(etag));
            return same
                    ? Uni.createFrom().item(new CompletedUpload(upload.key(), found.get().etag(), true))
                    : removeWrongObject(found);
        }

        // An object with other content must not be mistaken for the export.
        private Uni<CompletedUpload> removeWrongObject(Optional<StoredObject> found) {
            StorageException mismatch = new StorageException(StorageProblem.CONTENT_MISMATCH,
                    "expected " + upload.size() + " bytes, found " + found.map(StoredObject::size).orElse(-1L));
            return delete(upload.key())
                    .onFailure()
                    .invoke(e -> LOG.warnf("an object with the wrong size could not be removed: key=%s %s", upload.key(), e))
                    .onFailure().recoverWithNull()
                    .chain(() -> Uni.createFrom().failure(mismatch));
        }

        private Uni<CompletedUpload> findCompleted(Throwable failure) {
            return head(upload.key())
                    .onFailure(e -> is(e, StorageProblem.ACCESS_DENIED)).recoverWithItem(Optional.empty())
                    .map(found -> found.filter(this::matchesUpload)
                            .map(object -> new CompletedUpload(upload.key(), object.etag(), true))
                            .orElseThrow(() -> (StorageException) failure));
        }

        private boolean matchesUpload(StoredObject object) {
            if (object.size() != upload.size()) {
                return false;
            }
            // Encrypted buckets have unpredictable entity tags, but all contain the number of parts after the dash.
            String expected = multipartTag();
            int dash = object.etag().indexOf('-');
            return object.etag().equals(expected)
                    || (expected.isEmpty() && dash > 0 && object.etag().endsWith("-" + parts.size()));
        }

        /**
         * Returns the entity tag that S3 computes for these parts, the MD5 of their MD5s; empty if a part's tag is not an MD5.
         */
        private String multipartTag() {
            MessageDigest md5 = Digests.newMd5();
            for (UploadedPart part : parts) {
                String tag = normalizeEtag(part.etag());
                if (!MD5.matcher(tag).matches()) {
                    return "";
                }
                md5.update(HexFormat.of().parseHex(tag));
            }
            return HexFormat.of().formatHex(md5.digest()) + "-" + parts.size();
        }
    }
}
