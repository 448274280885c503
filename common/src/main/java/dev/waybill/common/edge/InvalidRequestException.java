package dev.waybill.common.edge;

/** A request that violates the supported HTTP syntax; the message is sent to the client. */
final class InvalidRequestException extends RuntimeException {

    InvalidRequestException(String message) {
        super(message, null, false, false);
    }
}
