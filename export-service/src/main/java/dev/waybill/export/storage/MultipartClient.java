package dev.waybill.export.storage;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The calls of a {@link MultipartOutputStream} to its store. Failures are mapped to {@link StorageException}s. */
public interface MultipartClient {

    /** Starts an upload and returns its id. */
    CompletableFuture<String> create(String key);

    /** Sends a part; {@code content} must not change until the returned stage has completed. */
    CompletableFuture<UploadedPart> uploadPart(String key, String uploadId, int number, ByteBuffer content);

    /**
     * Returns what completing the upload requires besides its id, as a JSON object with its {@code version}. Commit records
     * contain it, so later releases must accept every version.
     */
    String token(List<UploadedPart> parts);

    /** Aborts an upload and removes its parts. */
    CompletableFuture<Void> abort(String key, String uploadId);
}
