package dev.waybill.experiment.session;

import java.time.Instant;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.waybill.experiment.body.Bytes;

/**
 * An experiment that was run elsewhere.
 *
 * @param extra a JSON object
 * @param datasetId what it was run on
 * @param testRunNumber which experiment of its dataset it is
 */
public record NewExperiment(String name, @Nullable String description, Instant startTime, Instant endTime,
        @Nullable Bytes extra, UUID datasetId, int testRunNumber) {
}
