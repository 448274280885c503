package dev.waybill.export.trace;

import java.io.IOException;

/** One of the runs is larger than a row of an export may be; the message says which, and is fit for users. */
public final class RowTooLargeException extends IOException {

    private static final long serialVersionUID = 1;

    RowTooLargeException(String message) {
        super(message);
    }
}
