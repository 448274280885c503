package dev.waybill.experiment.session;

import java.time.Instant;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.waybill.experiment.body.Bytes;

/**
 * An experiment that ran outside of Waybill.
 *
 * @param extra a JSON object
 * @param datasetId the dataset that it ran on
 * @param testRunNumber its consecutive number within the dataset
 */
public record NewExperiment(String name, @Nullable String description, Instant startTime, Instant endTime,
        @Nullable Bytes extra, UUID datasetId, int testRunNumber) {
}
