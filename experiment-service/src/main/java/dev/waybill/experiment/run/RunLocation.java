package dev.waybill.experiment.run;

import java.time.OffsetDateTime;
import java.util.UUID;

/** What leads from a run's id to its row: the rest of the key of {@code trace.runs}. */
record RunLocation(UUID sessionId, OffsetDateTime startTime) {
}
