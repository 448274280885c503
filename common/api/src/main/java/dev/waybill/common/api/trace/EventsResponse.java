package dev.waybill.common.api.trace;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Changes in a workspace.
 *
 * @param position value for {@code since} in the next request
 * @param complete false if changes after {@code since} are no longer known, so that the client must read everything again
 */
public record EventsResponse(
        @Schema(description = "The value for since in the next request.") Instant position,
        @Schema(description = "False if changes after since are no longer known: read everything again.") boolean complete,
        @Schema(description = "Changes after since; one can be returned twice.") List<Event> events) {

    /**
     * A change, without its content.
     *
     * @param id the changed resource; null for several or an unknown one
     */
    @Schema(name = "Event")
    public record Event(
            @Schema(enumeration = {
                    "runs", "session", "experiment", "feedback", "dataset", "deployment", "revision",
                    "export" }) String type,
            @Schema(description = "The changed resource, for runs and feedback their session; null for several or an unknown one.") @Nullable UUID id,
            @Schema(description = "The session, if one is concerned.") @Nullable UUID sessionId,
            @Schema(description = "The dataset, if one is concerned.") @Nullable UUID datasetId,
            @Schema(description = "The deployment, if one is concerned.") @Nullable UUID deploymentId){
    }
}
