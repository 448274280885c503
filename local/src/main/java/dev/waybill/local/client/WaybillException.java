package dev.waybill.local.client;

/** A service answered something else than success. */
public final class WaybillException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final int status;

    WaybillException(int status, String message) {
        super(message);
        this.status = status;
    }

    public int status() {
        return status;
    }
}
