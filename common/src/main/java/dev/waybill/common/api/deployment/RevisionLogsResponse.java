package dev.waybill.common.api.deployment;

import java.util.List;

import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** Part of a revision's log, oldest line first. */
public record RevisionLogsResponse(List<LogLineResponse> logs,
        @Schema(description = "What to ask for next; the same again while nothing was added.") long nextOffset) {
}
