package dev.waybill.export.lake.iceberg;

import java.time.LocalDate;

/** A file of a compacted day that the table contains or should contain. */
public record PublishedFile(LocalDate day, String key, long rows, long bytes) {
}
