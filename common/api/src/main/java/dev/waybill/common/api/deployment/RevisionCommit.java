package dev.waybill.common.api.deployment;

import java.time.Instant;

import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** The commit of a revision, as its repository describes it. */
@Schema(name = "RevisionCommit")
public record RevisionCommit(
        @Schema(description = "The name of the author.") String author,
        @Schema(description = "The first 2,000 characters of the message.") String message,
        @Schema(description = "The time at which it was committed.") Instant committedAt) {
}
