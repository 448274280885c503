package dev.waybill.export.storage;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;

/** What a {@link MultipartOutputStream} asks of its store. Failures are {@link StorageException}s or will be made such. */
interface MultipartClient {

    /** Starts an upload and answers its id. */
    CompletableFuture<String> create(String key);

    /** Sends a part; {@code content} must not change until the answer is there. */
    CompletableFuture<UploadedPart> uploadPart(String key, String uploadId, int number, ByteBuffer content);

    /** Forgets an upload and its parts. */
    CompletableFuture<Void> abort(String key, String uploadId);
}
