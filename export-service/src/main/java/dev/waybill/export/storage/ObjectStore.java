package dev.waybill.export.storage;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

import io.smallrye.mutiny.Uni;

/**
 * One bucket, opened with the credentials that it uses until it is closed. Opening is cheap because connections are shared.
 * Every failure is a {@link StorageException}. A Uni emits on the Vert.x context of its subscriber.
 */
public interface ObjectStore extends AutoCloseable {

    /** Writes a small object in one request. */
    Uni<Void> put(String key, byte[] content, String contentType);

    /**
     * Writes a small object if the key is unused; otherwise fails with {@link StorageProblem#ALREADY_THERE}. Stores that do not
     * support conditional writes overwrite like {@link #put}.
     */
    Uni<Void> putNew(String key, byte[] content, String contentType);

    /** Returns the metadata of an object, or empty if it does not exist. */
    Uni<Optional<StoredObject>> head(String key);

    /** Returns the content of an object; fails above {@code maxBytes}. */
    Uni<byte[]> get(String key, int maxBytes);

    /** Removes an object; succeeds if it does not exist. */
    Uni<Void> delete(String key);

    /** Returns a stream that uploads the written bytes without making them visible. Makes no call yet. */
    MultipartOutputStream upload(String key);

    /**
     * Makes a prepared upload visible. Idempotent: a completed upload is recognized by the object's size and entity tag.
     * Verifies the size if the credentials allow reading.
     */
    Uni<CompletedUpload> complete(PreparedUpload upload);

    /** Aborts an upload and removes its parts; succeeds if it does not exist. */
    Uni<Void> abort(String key, String uploadId);

    /** Returns the uploads below {@code keyPrefix} that are neither completed nor aborted. Requires an optional permission. */
    Uni<List<IncompleteUpload>> listUploads(String keyPrefix);

    /** Discards the credentials. Never throws. */
    @Override
    void close();

    /**
     * The metadata of a stored object.
     *
     * @param etag the entity tag without quotes; empty if the store returns none
     */
    record StoredObject(long size, String etag) {
    }

    /** A multipart upload that is neither completed nor aborted. */
    record IncompleteUpload(String key, String uploadId, Instant startedAt) {
    }

    /**
     * A completed upload, whose object is visible.
     *
     * @param etag the entity tag without quotes; empty if the store returns none
     * @param verified whether the size was compared with the written size; false if the credentials do not allow reading
     */
    record CompletedUpload(String key, String etag, boolean verified) {
    }
}
