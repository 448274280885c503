package dev.waybill.export.parquet;

import java.io.IOException;
import java.io.OutputStream;

/** The target of an export's files. */
@FunctionalInterface
public interface FileSink {

    /**
     * Opens the file with this number, starting with 0; one file is open at a time. The stream accepts writes of any size and
     * may block. The writer closes it only when the file is complete: a stream that a failure leaves open is not a file.
     */
    OutputStream open(int index) throws IOException;
}
