package dev.waybill.experiment.comparison;

import java.util.List;
import java.util.UUID;

import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;

import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestMulti;
import org.jboss.resteasy.reactive.RestPath;
import org.jboss.resteasy.reactive.RestResponse;
import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.experiment.CompareExperimentsRequest;
import dev.waybill.common.api.experiment.ComparisonResponse;
import dev.waybill.common.audit.AuditLogOnly;
import dev.waybill.common.negotiation.IfNoneMatch;
import dev.waybill.common.security.CallerContext;
import dev.waybill.common.security.Role;
import dev.waybill.common.security.WorkspaceRequired;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;

/** HTTP resource for comparisons of experiments. */
@Path("/api/v1/datasets/{dataset_id}/comparison")
@WorkspaceRequired
@AuditLogOnly
@RolesAllowed(Role.MEMBERS)
@Consumes(MediaType.APPLICATION_JSON)
@Tag(name = "Experiments", description = "Experiments that ran outside of Waybill.")
class ComparisonResource {

    private final ComparisonService comparisons;
    private final ComparisonCsvService csv;
    private final CallerContext caller;

    ComparisonResource(ComparisonService comparisons, ComparisonCsvService csv, CallerContext caller) {
        this.comparisons = comparisons;
        this.csv = csv;
        this.caller = caller;
    }

    @POST
    @Produces(MediaType.APPLICATION_JSON)
    @Operation(operationId = "compare_experiments", summary = "Compare experiments of a dataset", description = """
            Rows are aligned by example; several runs of an example in one experiment count as one, with their average. Every \
            feedback key is compared with the baseline: the average difference with its 95 % interval and a paired test, and the \
            numbers of examples that are better, worse or the same. Only the requested parts are computed. The response has \
            an ETag; with If-None-Match, the status is 304 while neither the experiments nor, for rows, the examples have \
            changed. With Accept: text/csv (or format=csv in the query) the response has all rows as CSV, without an ETag.""")
    @APIResponse(responseCode = "200", description = "The comparison.", content = {
            @Content(mediaType = MediaType.APPLICATION_JSON, schema = @Schema(implementation = ComparisonResponse.class)),
            @Content(mediaType = "text/csv", schema = @Schema(implementation = String.class)) })
    @APIResponse(responseCode = "304", description = "The response would be the one that the client has.")
    public Uni<RestResponse<ComparisonResponse>> compare(@RestPath("dataset_id") UUID datasetId,
            CompareExperimentsRequest request,
            @Parameter(schema = @Schema(type = SchemaType.STRING)) @HeaderParam(HttpHeaders.IF_NONE_MATCH) @Nullable List<String> known) {
        return comparisons.compare(caller.workspace(), datasetId, request, IfNoneMatch.parse(known));
    }

    /** Returns the comparison as CSV; {@link ResponseFormatRewriter} routes requests to this path. */
    @POST
    @Path("csv")
    @Produces("text/csv")
    @Operation(hidden = true)
    public Multi<byte[]> compareAsCsv(@RestPath("dataset_id") UUID datasetId, CompareExperimentsRequest request) {
        return RestMulti.fromUniResponse(csv.csv(caller.workspace(), datasetId, request), csv::csvChunks);
    }
}
