package dev.waybill.experiment.feedback;

import java.util.List;
import java.util.UUID;

import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PATCH;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;

import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestPath;
import org.jboss.resteasy.reactive.RestQuery;
import org.jboss.resteasy.reactive.RestResponse;
import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.experiment.CreateFeedbackRequest;
import dev.waybill.common.api.experiment.FeedbackResponse;
import dev.waybill.common.api.experiment.UpdateFeedbackRequest;
import dev.waybill.common.api.trace.IntakeResponse;
import dev.waybill.common.audit.AuditLogOnly;
import dev.waybill.common.idempotency.Idempotent;
import dev.waybill.common.page.Page;
import dev.waybill.common.page.PageParameters;
import dev.waybill.common.page.QueryParameters;
import dev.waybill.common.security.CallerContext;
import dev.waybill.common.security.Role;
import dev.waybill.common.security.WorkspaceRequired;
import io.smallrye.mutiny.Uni;

/** Manages feedback (contract.md "Experiment upload"). */
@Path("/api/v1/feedback")
@Produces(MediaType.APPLICATION_JSON)
@WorkspaceRequired
@RolesAllowed(Role.MEMBERS)
@Tag(name = "Feedback", description = "Scores and comments on runs and sessions.")
class FeedbackResource {

    private final FeedbackService feedback;
    private final CallerContext caller;

    FeedbackResource(FeedbackService feedback, CallerContext caller) {
        this.feedback = feedback;
        this.caller = caller;
    }

    @POST
    @AuditLogOnly
    @Idempotent
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(operationId = "create_feedback", summary = "Create feedback on a run or a session", description = "The run need not exist yet. Feedback with an existing id replaces it.")
    public Uni<FeedbackResponse> create(CreateFeedbackRequest request) {
        return feedback.create(caller.workspace(), request);
    }

    @GET
    @Operation(operationId = "list_feedback", summary = "List feedback, newest first")
    @APIResponse(responseCode = "200", description = "The feedback. X-Pagination-Total is the total number.", content = @Content(schema = @Schema(implementation = FeedbackResponse[].class)))
    public Uni<RestResponse<List<FeedbackResponse>>> list(@RestQuery List<UUID> run,
            @RestQuery List<UUID> session,
            @RestQuery List<String> key,
            @RestQuery List<String> source,
            @Parameter(schema = @Schema(enumeration = { "run", "session" })) @RestQuery @Nullable String level,
            @RestQuery @Nullable String limit,
            @RestQuery @Nullable String offset,
            @Context UriInfo uri) {
        QueryParameters.requireKnown(uri, "run", "session", "key", "source", "level", "limit", "offset");
        FeedbackQuery query = new FeedbackQuery(run, session, key, source, level,
                PageParameters.parse(limit, offset, PageParameters.MAX_LIMIT));
        return feedback.list(caller.workspace(), query)
                .map(page -> RestResponse.ResponseBuilder.ok(page.items())
                        .header(Page.TOTAL_HEADER, page.total())
                        .build());
    }

    @GET
    @Path("{feedback_id}")
    @Operation(operationId = "get_feedback", summary = "Read feedback")
    public Uni<FeedbackResponse> get(@RestPath("feedback_id") UUID feedbackId) {
        return feedback.get(caller.workspace(), feedbackId);
    }

    @PATCH
    @AuditLogOnly
    @Path("{feedback_id}")
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(operationId = "update_feedback", summary = "Update feedback: null removes a member, absent members stay unchanged")
    public Uni<FeedbackResponse> update(@RestPath("feedback_id") UUID feedbackId, UpdateFeedbackRequest request) {
        return feedback.update(caller.workspace(), feedbackId, request);
    }

    @DELETE
    @Path("{feedback_id}")
    @Operation(operationId = "delete_feedback", summary = "Delete feedback")
    @APIResponse(responseCode = "200", description = "The feedback is deleted.", content = @Content(schema = @Schema(implementation = IntakeResponse.class)))
    public Uni<IntakeResponse> delete(@RestPath("feedback_id") UUID feedbackId) {
        return feedback.remove(caller.workspace(), feedbackId)
                .map(ignored -> new IntakeResponse("Feedback deleted"));
    }
}
