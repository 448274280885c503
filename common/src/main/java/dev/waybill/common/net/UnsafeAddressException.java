package dev.waybill.common.net;

/**
 * An address that a customer gave must not be used. The message is fit for the customer and is the same for a name that does
 * not resolve and one that leads inside, so that nobody can explore a network with it.
 */
public class UnsafeAddressException extends RuntimeException {

    UnsafeAddressException(String message) {
        super(message, null, false, false);
    }
}
