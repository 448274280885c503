package dev.waybill.experiment.query;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

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
import org.jboss.resteasy.reactive.RestPath;
import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.experiment.QueryExperimentRunsRequest;
import dev.waybill.common.audit.AuditLogOnly;
import dev.waybill.common.page.PageParameters;
import dev.waybill.common.security.CallerContext;
import dev.waybill.common.security.Role;
import dev.waybill.common.security.WorkspaceRequired;
import dev.waybill.experiment.run.RunField;
import io.smallrye.mutiny.Uni;

/** HTTP resource for examples with the runs of experiments on them. */
@Path("/api/v1/datasets/{dataset_id}/runs")
@Produces(MediaType.APPLICATION_JSON)
@AuditLogOnly
@RolesAllowed(Role.MEMBERS)
@WorkspaceRequired
@Tag(name = "Datasets")
class ExperimentRunsResource {

    private static final Set<RunField> DOCUMENTS = EnumSet.of(RunField.INPUTS, RunField.OUTPUTS, RunField.EVENTS,
            RunField.SERIALIZED);

    private final ExperimentRunsService rows;
    private final CallerContext caller;

    ExperimentRunsResource(ExperimentRunsService rows, CallerContext caller) {
        this.rows = rows;
        this.caller = caller;
    }

    @POST
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(operationId = "list_experiment_runs", summary = "List the examples of a dataset with the runs of experiments on them", description = "Returns the newest examples first. Responds with 422 if the runs are too large for one response: request fewer examples, or previews.")
    @APIResponse(responseCode = "200", description = "Examples, each with its runs.", content = @Content(schema = @Schema(implementation = Object[].class)))
    public Uni<List<Map<String, @Nullable Object>>> list(@RestPath("dataset_id") UUID datasetId,
            QueryExperimentRunsRequest request) {
        boolean preview = Boolean.TRUE.equals(request.preview());
        Set<String> fields = Arrays.stream(RunField.values())
                .filter(field -> !preview || !DOCUMENTS.contains(field))
                .map(RunField::wireName)
                .collect(Collectors.toSet());
        return rows.list(caller.workspace(),
                new ExperimentRunsQuery(datasetId, Objects.requireNonNull(request.sessionIds()), List.of(),
                        request.limit() == null ? PageParameters.DEFAULT_LIMIT : request.limit(),
                        request.offset() == null ? 0 : request.offset(), fields));
    }
}
