package dev.waybill.runtime.storage;

import org.jspecify.annotations.Nullable;

/** The storage is unavailable: nothing of the operation was stored, and a retry may succeed. */
public final class StorageException extends RuntimeException {

    /** Creates the exception with a message that names the cause and the remedy. */
    public StorageException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
