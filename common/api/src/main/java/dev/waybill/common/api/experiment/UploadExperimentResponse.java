package dev.waybill.common.api.experiment;

import dev.waybill.common.api.trace.SessionResponse;

/**
 * The dataset and experiment of an upload.
 *
 * @param dataset the dataset with its current counts
 * @param experiment the experiment; its statistics are null here and available when it is read with {@code include_stats}
 */
public record UploadExperimentResponse(DatasetResponse dataset, SessionResponse experiment) {
}
