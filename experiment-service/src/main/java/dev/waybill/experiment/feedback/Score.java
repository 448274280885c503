package dev.waybill.experiment.feedback;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * What a piece of feedback says (interface.md 2.7); what it does not say is null. Members that are JSON are its text.
 *
 * @param label what its value counts as in statistics
 */
public record Score(String key, @Nullable Double score, @Nullable String value, @Nullable String label,
        @Nullable String comment, @Nullable String correction, @Nullable String source, @Nullable String config,
        @Nullable Instant createdAt, @Nullable Instant modifiedAt) {
}
