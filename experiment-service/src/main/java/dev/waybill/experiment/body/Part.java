package dev.waybill.experiment.body;

import org.jspecify.annotations.Nullable;

/**
 * One part of a multipart body.
 *
 * @param name the part's name in its Content-Disposition
 * @param contentType its Content-Type without parameters; null if it has none
 */
public record Part(String name, @Nullable String contentType, Bytes content) {
}
