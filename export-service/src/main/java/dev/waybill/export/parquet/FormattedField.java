package dev.waybill.export.parquet;

import org.jspecify.annotations.Nullable;

/**
 * A field of a run, formatted as text.
 *
 * @param name the name in requests
 * @param text null if the run has no value
 * @param isTruncated whether the text is incomplete
 * @param isJson whether the text is the JSON form of a value that is not a string: a number, a boolean or a list
 */
public record FormattedField(String name, @Nullable String text, boolean isTruncated, boolean isJson) {
}
