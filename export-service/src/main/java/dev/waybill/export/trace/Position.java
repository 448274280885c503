package dev.waybill.export.trace;

import java.time.Instant;
import java.util.UUID;

/** The position of a run in reading order: start time, then id. */
public record Position(Instant startTime, UUID id) {
}
