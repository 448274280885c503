package dev.waybill.export.parquet;

/** A column as the manifest describes it. */
public record SchemaColumn(String name, String type) {
}
