package dev.waybill.common.api.experiment;

import dev.waybill.common.api.trace.SessionResponse;

/**
 * What an upload made (interface.md 2.9).
 *
 * @param dataset the dataset, with its true counts
 * @param experiment the experiment; its statistics are null here and filled when it is read with {@code include_stats}
 */
public record UploadExperimentResponse(DatasetResponse dataset, SessionResponse experiment) {
}
