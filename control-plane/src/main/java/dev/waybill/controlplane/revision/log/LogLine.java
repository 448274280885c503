package dev.waybill.controlplane.revision.log;

import java.time.Instant;

import dev.waybill.common.api.deployment.LogLineResponse;

/** One line of a revision's log. */
public record LogLine(Instant at, String phase, String stream, String text) {

    LogLineResponse toResponse() {
        return new LogLineResponse(at, phase, stream, text, null, null);
    }
}
