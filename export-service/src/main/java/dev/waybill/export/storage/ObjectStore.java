package dev.waybill.export.storage;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

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

    /** Returns at most {@code length} bytes of an object, from {@code offset} on, and the size of the object. */
    Uni<ObjectRange> getRange(String key, long offset, int length);

    /**
     * Returns a page of the objects whose keys begin with {@code keyPrefix}. Requires an optional permission.
     *
     * @param token token of the page from the previous page; null for the first page
     */
    Uni<ObjectPage> list(String keyPrefix, @Nullable String token);

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

    /**
     * A range of an object.
     *
     * @param content empty if the object ends before the range
     * @param size size of the complete object; 0 if the object ends before the range
     */
    record ObjectRange(byte[] content, long size) {
    }

    /**
     * A page of a list of objects.
     *
     * @param nextToken token of the next page; null for the last page
     */
    record ObjectPage(List<ListedObject> objects, @Nullable String nextToken) {

        public ObjectPage {
            objects = List.copyOf(objects);
        }
    }

    /** An object in a list. */
    record ListedObject(String key, long size) {
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
