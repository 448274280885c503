package dev.waybill.common.api.trace;

import java.util.Map;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * What all feedback of one key says together (contract.md "Experiment upload"); null where no feedback has a score.
 *
 * @param n how many have a score or a value
 * @param stdev of the population
 * @param values how often each value was given
 */
public record FeedbackStatistics(
        @Schema(description = "How many have a score or a value.") long n,
        @Nullable Double avg,
        @Schema(description = "Of the population.") @Nullable Double stdev,
        @Nullable Double min,
        @Nullable Double max,
        @Schema(description = "How often each value was given; at most the 1,000 most frequent, the first 250 characters of each.", examples = "{\"correct\": 3}") Map<String, Long> values) {
}
