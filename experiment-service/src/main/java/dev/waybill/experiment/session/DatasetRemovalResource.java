package dev.waybill.experiment.session;

import java.util.UUID;

import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;

import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestPath;
import org.jboss.resteasy.reactive.RestResponse;

import dev.waybill.common.api.trace.IntakeResponse;
import dev.waybill.common.security.CallerContext;
import dev.waybill.common.security.Role;
import dev.waybill.common.security.WorkspaceRequired;
import io.smallrye.mutiny.Uni;

/** Deletes datasets. */
@Path("/api/v1/datasets")
@Produces(MediaType.APPLICATION_JSON)
@WorkspaceRequired
@RolesAllowed(Role.MEMBERS)
@Tag(name = "Datasets")
class DatasetRemovalResource {

    private final DatasetRemovalService removals;
    private final CallerContext caller;

    DatasetRemovalResource(DatasetRemovalService removals, CallerContext caller) {
        this.removals = removals;
        this.caller = caller;
    }

    @DELETE
    @Path("{dataset_id}")
    @Operation(operationId = "delete_dataset", summary = "Delete a dataset, its examples and its experiments", description = "Both ordinary and uploaded datasets. The runs and feedback of their experiments are deleted too.")
    @APIResponse(responseCode = "202", description = "The dataset is deleted. The runs of its experiments are hidden and deleted in the background.", content = @Content(schema = @Schema(implementation = IntakeResponse.class)))
    public Uni<RestResponse<IntakeResponse>> delete(@RestPath("dataset_id") UUID datasetId) {
        return removals.remove(caller.workspace(), datasetId)
                .map(ignored -> RestResponse.status(Response.Status.ACCEPTED, new IntakeResponse("Dataset deleted")));
    }
}
