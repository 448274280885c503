package dev.waybill.experiment.comparison;

import java.util.UUID;

import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;

import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestMulti;
import org.jboss.resteasy.reactive.RestPath;

import dev.waybill.common.api.experiment.CompareExperimentsRequest;
import dev.waybill.common.api.experiment.ComparisonResponse;
import dev.waybill.common.security.CallerContext;
import dev.waybill.common.security.Role;
import dev.waybill.common.security.WorkspaceRequired;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;

/** HTTP resource for comparisons of experiments. */
@Path("/api/v1/datasets/{dataset_id}/comparison")
@WorkspaceRequired
@RolesAllowed(Role.MEMBERS)
@Consumes(MediaType.APPLICATION_JSON)
@Tag(name = "Experiments", description = "Experiments that ran outside of Waybill.")
class ComparisonResource {

    private final ComparisonService comparisons;
    private final CallerContext caller;

    ComparisonResource(ComparisonService comparisons, CallerContext caller) {
        this.comparisons = comparisons;
        this.caller = caller;
    }

    @POST
    @Produces(MediaType.APPLICATION_JSON)
    @Operation(operationId = "compare_experiments", summary = "Compare experiments of a dataset", description = """
            Rows are aligned by example; several runs of an example in one experiment count as one, with their average. Every \
            feedback key is compared with the baseline: the average difference with its 95 % interval and a paired test, and the \
            numbers of examples that are better, worse or the same. With Accept: text/csv (or format=csv in the query) the \
            response has all rows as CSV.""")
    @APIResponse(responseCode = "200", description = "The comparison.", content = {
            @Content(mediaType = MediaType.APPLICATION_JSON, schema = @Schema(implementation = ComparisonResponse.class)),
            @Content(mediaType = "text/csv", schema = @Schema(implementation = String.class)) })
    public Uni<ComparisonResponse> compare(@RestPath("dataset_id") UUID datasetId, CompareExperimentsRequest request) {
        return comparisons.compare(caller.workspace(), datasetId, request);
    }

    /** Returns the comparison as CSV; {@link ResponseFormatRewriter} routes requests to this path. */
    @POST
    @Path("csv")
    @Produces("text/csv")
    @Operation(hidden = true)
    public Multi<byte[]> compareAsCsv(@RestPath("dataset_id") UUID datasetId, CompareExperimentsRequest request) {
        return RestMulti.fromUniResponse(comparisons.csv(caller.workspace(), datasetId, request), comparisons::csvChunks);
    }
}
