package dev.waybill.export.parquet;

/** A column in the manifest. */
public record SchemaColumn(String name, String type) {
}
