package dev.waybill.experiment.feedback;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * The content of a feedback object (interface.md 2.7); absent members are null, JSON members are text.
 *
 * @param label the label that statistics count
 */
public record Score(String key, @Nullable Double score, @Nullable String value, @Nullable String label,
        @Nullable String comment, @Nullable String correction, @Nullable String source, @Nullable String config,
        @Nullable Instant createdAt, @Nullable Instant modifiedAt) {
}
