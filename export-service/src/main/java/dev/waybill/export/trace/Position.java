package dev.waybill.export.trace;

import java.time.Instant;
import java.util.UUID;

/** A run in the order in which runs are read, by start time and id. */
public record Position(Instant startTime, UUID id) {
}
