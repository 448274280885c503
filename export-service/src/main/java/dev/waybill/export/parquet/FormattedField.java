package dev.waybill.export.parquet;

import org.jspecify.annotations.Nullable;

/**
 * A field of a run in words.
 *
 * @param name on the wire
 * @param text null when the run has none
 * @param isTruncated whether the text goes on
 * @param isJson whether the text is JSON for a value that is no string: a number, a flag or a list
 */
public record FormattedField(String name, @Nullable String text, boolean isTruncated, boolean isJson) {
}
