package dev.waybill.runtime.protocol;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/** A request of a worker fails. The message is returned to the worker: it contains no SQL, no host and no path. */
public final class RequestException extends RuntimeException {

    private final Code code;
    private final @Nullable Duration retryAfter;

    /** Causes of a failure, with the numbers of the protocol. */
    public enum Code {
        /** The request's method is unknown. */
        UNKNOWN_METHOD(-32601, null),
        /** The request's params are invalid. */
        INVALID_PARAMS(-32602, null),
        /** The runtime failed. */
        INTERNAL(-32603, null),
        /** The run has ended or may not write. */
        RUN_ENDED(-32001, "RunEnded"),
        /** Another replica has the run, or it was cancelled. */
        FENCE_LOST(-32002, "FenceLost"),
        /** The state exceeds its limit. */
        STATE_TOO_LARGE(-32003, "StateTooLarge"),
        /** The storage is unavailable, or the runtime has no memory for the request. */
        STORAGE_UNAVAILABLE(-32004, "StorageUnavailable"),
        /** The thread was deleted. */
        THREAD_DELETED(-32005, "ThreadDeleted"),
        /** An item, metadata or a text exceeds its limit. */
        VALUE_TOO_LARGE(-32006, "ValueTooLarge");

        private final int number;
        private final @Nullable String error;

        Code(int number, @Nullable String error) {
            this.number = number;
            this.error = error;
        }

        /** Returns the number in the error of a response. */
        public int number() {
            return number;
        }

        /** Returns the type in the error's data; null for errors of JSON-RPC. */
        public @Nullable String error() {
            return error;
        }
    }

    /** Creates an exception without a time to retry. */
    public RequestException(Code code, String message) {
        this(code, message, null);
    }

    /** Creates an exception; {@code retryAfter} is for an unavailable storage only. */
    public RequestException(Code code, String message, @Nullable Duration retryAfter) {
        super(message);
        this.code = code;
        this.retryAfter = retryAfter;
    }

    /** Returns the cause. */
    public Code code() {
        return code;
    }

    /** Returns when the worker may retry, if that is known. */
    public @Nullable Duration retryAfter() {
        return retryAfter;
    }
}
