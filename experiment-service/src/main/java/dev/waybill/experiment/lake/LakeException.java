package dev.waybill.experiment.lake;

/** Files of the lake cannot be read; the query reads their days from PostgreSQL. */
public final class LakeException extends RuntimeException {

    LakeException(String message) {
        super(message);
    }

    LakeException(String message, Throwable cause) {
        super(message, cause);
    }
}
