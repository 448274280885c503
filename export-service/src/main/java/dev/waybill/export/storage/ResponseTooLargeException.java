package dev.waybill.export.storage;

/** A store answers with more than any S3 answer holds. */
final class ResponseTooLargeException extends RuntimeException {

    ResponseTooLargeException(long limit) {
        super("the answer has more than " + limit + " bytes", null, false, false);
    }
}
