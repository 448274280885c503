package dev.waybill.experiment.otlp;

import java.util.UUID;

import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Response;

import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestHeader;
import org.jspecify.annotations.Nullable;

import dev.waybill.common.audit.AuditLogOnly;
import dev.waybill.common.security.CallerContext;
import dev.waybill.common.security.Role;
import dev.waybill.common.security.WorkspaceRequired;
import dev.waybill.experiment.body.Body;
import dev.waybill.experiment.body.BodyReader;
import io.smallrye.mutiny.Uni;
import io.vertx.core.http.HttpServerRequest;

/** Receives traces over OTLP/HTTP (contract.md "Trace intake"). */
@Path("/api/v1/otel/v1/traces")
@WorkspaceRequired
@AuditLogOnly
@RolesAllowed(Role.MEMBERS)
@Tag(name = "Runs")
class OtlpResource {

    static final String PROTOBUF = "application/x-protobuf";
    static final String JSON = "application/json";

    private final BodyReader bodies;
    private final OtlpService spans;
    private final CallerContext caller;
    private final HttpServerRequest request;

    OtlpResource(BodyReader bodies, OtlpService spans, CallerContext caller, HttpServerRequest request) {
        this.bodies = bodies;
        this.spans = spans;
        this.caller = caller;
        this.request = request;
    }

    @POST
    @Consumes({ PROTOBUF, JSON })
    @Produces({ PROTOBUF, JSON })
    @Operation(operationId = "export_spans", summary = "Store spans (OTLP/HTTP)", description = """
            The body is an `ExportTraceServiceRequest`, in protobuf or in OTLP's JSON, optionally compressed with gzip; the response is an \
            `ExportTraceServiceResponse` in the same encoding. Spans are mapped to runs by the GenAI conventions, OpenInference, \
            OpenLLMetry and LangSmith; `extra.otel` contains the span as sent. Repeated spans change nothing. Spans that \
            cannot be stored are counted in `partial_success`, with the reasons. An error of a request in protobuf is a \
            `google.rpc.Status` in protobuf.""")
    @RequestBody(required = true, content = {
            @Content(mediaType = JSON, schema = @Schema(type = SchemaType.OBJECT)),
            @Content(mediaType = PROTOBUF, schema = @Schema(type = SchemaType.STRING, format = "binary")) })
    @APIResponse(responseCode = "200", description = "All spans are stored, except those in partial_success.", content = {
            @Content(mediaType = JSON, schema = @Schema(type = SchemaType.OBJECT)),
            @Content(mediaType = PROTOBUF, schema = @Schema(type = SchemaType.STRING, format = "binary")) })
    public Uni<Response> export(
            @RestHeader("Langsmith-Project") @Schema(description = "The session for spans without one. Default: default.") @Nullable String project) {
        UUID workspace = caller.workspace();
        OtlpEncoding encoding = OtlpEncoding.of(String.valueOf(request.getHeader("Content-Type")));
        return bodies.read(request)
                .chain(body -> export(workspace, encoding, body, project))
                .map(export -> Response.ok(encoding.response(export.rejected(), export.message()), encoding.mediaType())
                        .build());
    }

    private Uni<OtlpService.ExportResult> export(UUID workspace, OtlpEncoding encoding, Body body, @Nullable String project) {
        return spans.export(workspace, encoding, body.content(), project == null || project.isBlank() ? null : project)
                .onTermination().invoke(body::release);
    }
}
