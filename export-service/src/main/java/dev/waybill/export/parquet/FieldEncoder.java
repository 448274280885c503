package dev.waybill.export.parquet;

import java.io.IOException;

import dev.waybill.export.trace.RunRow;

/** Writes one field of a row into its column. */
@FunctionalInterface
interface FieldEncoder {

    void encode(RunRow row) throws IOException;
}
