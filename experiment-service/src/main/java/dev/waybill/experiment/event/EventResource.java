package dev.waybill.experiment.event;

import java.time.DateTimeException;
import java.time.Instant;

import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;

import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestQuery;
import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.trace.EventsResponse;
import dev.waybill.common.page.QueryParameters;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.problem.Violation;
import dev.waybill.common.security.CallerContext;
import dev.waybill.common.security.Role;
import dev.waybill.common.security.WorkspaceRequired;
import dev.waybill.common.time.Timestamps;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;

/** HTTP resource for the events of a workspace. */
@Path("/api/v1/events")
@RolesAllowed(Role.MEMBERS)
@WorkspaceRequired
@Tag(name = "Events", description = "What changes in a workspace.")
class EventResource {

    private final ChangeRelay relay;
    private final ChangeStream stream;
    private final CallerContext caller;
    private final RoutingContext request;

    EventResource(ChangeRelay relay, ChangeStream stream, CallerContext caller, RoutingContext request) {
        this.relay = relay;
        this.stream = stream;
        this.caller = caller;
        this.request = request;
    }

    @GET
    @Produces(MediaType.APPLICATION_JSON)
    @Operation(operationId = "list_events", summary = "List changes of resources in the workspace", description = """
            Returns what changed since the position of an earlier response, of the last minute; without `since`, only the current \
            position. With `Accept: text/event-stream` the changes are streamed as server-sent events (docs/traces.md): `change` \
            with an event as its data, at most one for each resource and second; `resync` if changes may have been missed; `end` \
            if the key is no longer valid; and a comment every 15 s without events. The id is the position; a stream with \
            `Last-Event-ID`, or else `since`, begins with the changes since that position.""")
    public Uni<EventsResponse> list(
            @Parameter(description = "position of an earlier response.") @RestQuery @Nullable String since,
            @Context UriInfo uri) {
        QueryParameters.requireKnown(uri, "since");
        return relay.list(caller.workspace(), since == null ? null : position(since));
    }

    @GET
    @Produces(MediaType.SERVER_SENT_EVENTS + ";qs=0.1")
    @Operation(hidden = true)
    public Uni<Void> follow(@RestQuery @Nullable String since, @Context UriInfo uri) {
        QueryParameters.requireKnown(uri, "since");
        Instant position = since == null ? null : position(since);
        return stream.follow(caller.workspace(), lastEventId(position), request);
    }

    // An unknown id is older than all stored changes; an error would end the reconnections of a browser.
    private @Nullable Instant lastEventId(@Nullable Instant otherwise) {
        String id = request.request().getHeader("Last-Event-ID");
        if (id == null || id.isBlank()) {
            return otherwise;
        }
        try {
            return Timestamps.parse(id.strip());
        } catch (DateTimeException e) {
            return Instant.EPOCH;
        }
    }

    private static Instant position(String since) {
        try {
            return Timestamps.parse(since);
        } catch (DateTimeException e) {
            throw ProblemException.invalid(Violation.of("since", "must be the position of an earlier response", "invalid"));
        }
    }
}
