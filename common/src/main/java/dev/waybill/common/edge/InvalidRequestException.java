package dev.waybill.common.edge;

/** A request that is not HTTP as it is served here; the message is fit for its sender. */
final class InvalidRequestException extends RuntimeException {

    InvalidRequestException(String message) {
        super(message, null, false, false);
    }
}
