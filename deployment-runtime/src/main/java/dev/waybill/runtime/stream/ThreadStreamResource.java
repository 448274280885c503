package dev.waybill.runtime.stream;

import java.util.List;
import java.util.UUID;

import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;

import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestPath;
import org.jboss.resteasy.reactive.RestQuery;
import org.jspecify.annotations.Nullable;

import io.quarkus.security.Authenticated;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;

/** The events of all runs of a thread (docs/decisions/0196, 0200). */
@Path("/threads/{thread_id}/stream")
@Authenticated
@Tag(name = "Runs")
class ThreadStreamResource {

    private final ThreadStreams streams;
    private final RoutingContext request;

    ThreadStreamResource(ThreadStreams streams, RoutingContext request) {
        this.streams = streams;
        this.request = request;
    }

    @GET
    @Produces({ MediaType.SERVER_SENT_EVENTS, MediaType.APPLICATION_JSON })
    @Operation(operationId = "stream_thread", summary = "Stream all runs of a thread", description = """
            Returns the events of the active run and of all later ones as server-sent events, from now on, until the client \
            disconnects. Each run ends with an event metadata whose status is run_done. With Last-Event-ID, continues after that event; \
            410 if the events after it are no longer retained. With -1, begins with the retained events of active runs.""")
    @APIResponse(responseCode = "200", description = "The events.", content = @Content(mediaType = MediaType.SERVER_SENT_EVENTS, schema = @Schema(implementation = String.class)))
    public Uni<Void> stream(@RestPath("thread_id") UUID threadId,
            @Parameter(description = "run_modes (default): the events of the runs; lifecycle: their starts and ends only; state_update: the state after each update by a client.", schema = @Schema(type = SchemaType.ARRAY, implementation = String.class)) @RestQuery("stream_mode") @Nullable List<String> streamMode,
            @HeaderParam("Last-Event-ID") @Nullable String lastEventId) {
        return streams.open(threadId, request, streamMode, lastEventId);
    }

    @POST
    @Path("/events")
    @Consumes(MediaType.APPLICATION_JSON)
    @Produces({ MediaType.SERVER_SENT_EVENTS, MediaType.APPLICATION_JSON })
    @Operation(operationId = "stream_thread_events", summary = "Subscribe to channels of a thread", description = """
            Returns events of the agent streaming protocol, which the SDKs' threads.stream reads, as server-sent events until the \
            client disconnects: those of the newest run of the thread, also if it has ended, and of all later ones. With since, also \
            those that are retained of earlier runs.""")
    @APIResponse(responseCode = "200", description = "The events.", content = @Content(mediaType = MediaType.SERVER_SENT_EVENTS, schema = @Schema(implementation = String.class)))
    public Uni<Void> subscribe(@RestPath("thread_id") UUID threadId, SubscribeRequest body) {
        return streams.open(threadId, request, body.toFilter());
    }
}
