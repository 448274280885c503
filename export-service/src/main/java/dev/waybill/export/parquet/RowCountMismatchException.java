package dev.waybill.export.parquet;

import java.io.IOException;

/** The number of rows in the files differs from the number of rows read: the files must not become visible. */
public class RowCountMismatchException extends IOException {

    private static final long serialVersionUID = 1;

    RowCountMismatchException(long read, long encoded, long inFooters) {
        super("%d rows were read, %d were encoded, and the files' footers count %d".formatted(read, encoded, inFooters));
    }
}
