package dev.waybill.common.net;

/**
 * An address specified by a customer is not allowed. The message may be shown to the customer; it is the same for an
 * unresolvable name and a name with an internal address, so that it cannot be used to probe the network.
 */
public class UnsafeAddressException extends RuntimeException {

    UnsafeAddressException(String message) {
        super(message, null, false, false);
    }
}
