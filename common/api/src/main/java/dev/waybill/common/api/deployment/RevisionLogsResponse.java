package dev.waybill.common.api.deployment;

import java.util.List;

import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** Part of a revision's log, oldest line first. */
public record RevisionLogsResponse(List<LogLineResponse> logs,
        @Schema(description = "The offset for the next request; unchanged if no line was added.") long nextOffset) {
}
