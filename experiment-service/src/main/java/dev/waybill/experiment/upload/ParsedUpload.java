package dev.waybill.experiment.upload;

import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.waybill.experiment.body.Bytes;
import dev.waybill.experiment.dataset.DatasetReference;
import dev.waybill.experiment.feedback.Score;

/**
 * A validated upload.
 *
 * @param rows the positions of its rows in the body
 * @param scores feedback on the experiment as a whole
 */
record ParsedUpload(String name, @Nullable String description, Instant startTime, Instant endTime, @Nullable Bytes metadata,
        DatasetReference dataset, List<Score> scores, RowIndex rows) {
}
