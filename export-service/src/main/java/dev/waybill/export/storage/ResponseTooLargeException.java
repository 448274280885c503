package dev.waybill.export.storage;

/** The response is larger than any valid S3 response. */
final class ResponseTooLargeException extends RuntimeException {

    ResponseTooLargeException(long limit) {
        super("the response is larger than " + limit + " bytes", null, false, false);
    }
}
