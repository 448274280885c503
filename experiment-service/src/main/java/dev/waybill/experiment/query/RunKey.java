package dev.waybill.experiment.query;

import java.time.Instant;
import java.util.UUID;

/** A run's place in the order of pages: it stays where it is whatever else arrives. */
record RunKey(Instant startTime, UUID id) {
}
