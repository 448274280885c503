package dev.waybill.export.parquet;

import java.io.IOException;

/** The files do not hold the rows that were read: they must not become visible. */
public class RowCountMismatchException extends IOException {

    private static final long serialVersionUID = 1;

    RowCountMismatchException(long read, long encoded, long inFooters) {
        super("%d rows were read, %d encoded and the files' footers speak of %d".formatted(read, encoded, inFooters));
    }
}
