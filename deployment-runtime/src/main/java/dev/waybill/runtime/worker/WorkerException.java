package dev.waybill.runtime.worker;

import org.jspecify.annotations.Nullable;

/** Thrown when a worker cannot be started. */
final class WorkerException extends RuntimeException {

    WorkerException(String message) {
        this(message, null);
    }

    WorkerException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
