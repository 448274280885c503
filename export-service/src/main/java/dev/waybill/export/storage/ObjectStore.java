package dev.waybill.export.storage;

import java.util.List;
import java.util.Optional;

import io.smallrye.mutiny.Uni;

/**
 * One bucket, opened with the credentials it keeps until it is closed. Opening is cheap: connections are shared. Every failure
 * is a {@link StorageException}; what follows a Uni runs where its subscriber came from.
 */
public interface ObjectStore extends AutoCloseable {

    /** Writes a small object at once. */
    Uni<Void> put(String key, byte[] content, String contentType);

    /**
     * Writes a small object under a key that is taken by nothing: what is there already stays, and the call fails with
     * {@link StorageProblem#ALREADY_THERE}. Stores that do not know the condition write it as {@link #put} does.
     */
    Uni<Void> putNew(String key, byte[] content, String contentType);

    /** What is known of an object; empty when it is not there. */
    Uni<Optional<StoredObject>> head(String key);

    /** The content of an object that has at most {@code maxBytes}; more is a failure. */
    Uni<byte[]> get(String key, int maxBytes);

    /** Removes an object; one that is not there is fine. */
    Uni<Void> delete(String key);

    /** A stream that uploads what is written to it, without making it visible. No call is made yet. */
    MultipartOutputStream upload(String key);

    /**
     * Makes a prepared upload visible. Safe to repeat: an upload that is completed already is found by its size and entity
     * tag. The size is verified where the credentials may read.
     */
    Uni<CompletedUpload> complete(PreparedUpload upload);

    /** Forgets an upload and its parts; one that is not there is fine. */
    Uni<Void> abort(String key, String uploadId);

    /** The uploads that are neither completed nor aborted, with keys that begin with {@code keyPrefix}. An optional right. */
    Uni<List<IncompleteUpload>> listUploads(String keyPrefix);

    /** Lets go of the credentials. Never throws. */
    @Override
    void close();
}
