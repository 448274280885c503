package dev.waybill.common.api.trace;

import java.util.Map;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Statistics of all feedback with one key; null if no feedback has a score.
 *
 * @param n number of feedback items with a score or a value
 * @param stdev population standard deviation
 * @param values number of occurrences of each value
 */
public record FeedbackStatistics(
        @Schema(description = "Number of feedback items with a score or a value.") long n,
        @Nullable Double avg,
        @Schema(description = "Population standard deviation.") @Nullable Double stdev,
        @Nullable Double min,
        @Nullable Double max,
        @Schema(description = "Number of occurrences of each value; at most the 1,000 most frequent values, the first 250 characters of each.", examples = "{\"correct\": 3}") Map<String, Long> values) {
}
