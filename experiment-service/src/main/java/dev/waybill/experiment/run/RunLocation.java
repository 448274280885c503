package dev.waybill.experiment.run;

import java.time.OffsetDateTime;
import java.util.UUID;

/** The columns of the primary key of {@code trace.runs} that locate a run besides its id. */
record RunLocation(UUID sessionId, OffsetDateTime startTime) {
}
