package dev.waybill.experiment.query;

import java.util.List;
import java.util.UUID;

import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;

import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponseSchema;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestPath;
import org.jboss.resteasy.reactive.RestResponse;
import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.trace.TraceResponse;
import dev.waybill.common.security.CallerContext;
import dev.waybill.common.security.Role;
import dev.waybill.common.security.WorkspaceRequired;
import dev.waybill.experiment.query.ConditionalJson.Client;
import io.smallrye.mutiny.Uni;
import io.vertx.core.http.HttpServerRequest;

/** HTTP resource for whole traces. */
@Path("/api/v1/traces")
@Produces(MediaType.APPLICATION_JSON)
@RolesAllowed(Role.MEMBERS)
@WorkspaceRequired
@Tag(name = "Traces", description = "Trees of runs without their values.")
class TraceResource {

    private final TraceService traces;
    private final CallerContext caller;
    private final HttpServerRequest request;

    TraceResource(TraceService traces, CallerContext caller, HttpServerRequest request) {
        this.traces = traces;
        this.caller = caller;
        this.request = request;
    }

    @GET
    @Path("{trace_id}")
    @Operation(operationId = "get_trace", summary = "Get the runs of a trace without their values", description = """
            Returns up to 20,000 runs as a tree in depth-first order, without inputs, outputs, metadata and events; read those \
            with the run. With `If-None-Match`, responds with 304 if no run of the trace has changed. Compressed with gzip if \
            `Accept-Encoding` includes it.""")
    @APIResponseSchema(value = TraceResponse.class, responseCode = "200")
    public Uni<RestResponse<byte[]>> get(@RestPath("trace_id") UUID traceId,
            @Parameter(schema = @Schema(type = SchemaType.STRING)) @HeaderParam(HttpHeaders.IF_NONE_MATCH) @Nullable List<String> known) {
        return traces.get(caller.workspace(), traceId, Client.of(known, request.getHeader(HttpHeaders.ACCEPT_ENCODING)));
    }
}
