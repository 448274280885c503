package dev.waybill.experiment.query;

import java.time.Instant;
import java.util.UUID;

/** Sort key of a run for keyset pagination; runs that arrive later do not change it. */
record RunKey(Instant startTime, UUID id) {
}
