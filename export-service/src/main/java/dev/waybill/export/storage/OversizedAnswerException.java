package dev.waybill.export.storage;

/** A store answers with more than any S3 answer holds. */
final class OversizedAnswerException extends RuntimeException {

    OversizedAnswerException(long limit) {
        super("the answer has more than " + limit + " bytes", null, false, false);
    }
}
