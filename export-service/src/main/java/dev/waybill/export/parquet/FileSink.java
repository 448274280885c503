package dev.waybill.export.parquet;

import java.io.IOException;
import java.io.OutputStream;

/** Where files go. */
@FunctionalInterface
public interface FileSink {

    /**
     * Begins the file of that number, counting from 0; one file is open at a time. Its stream takes pieces of any size and
     * may block. The writer closes it when the file is whole, and only then: what a failure leaves open is not a file.
     */
    OutputStream open(int index) throws IOException;
}
