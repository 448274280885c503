package dev.waybill.experiment.v2;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;

import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;

import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestPath;
import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.experiment.QueryExperimentRunsV2Request;
import dev.waybill.common.api.trace.ItemsResponse;
import dev.waybill.common.audit.AuditLogOnly;
import dev.waybill.common.page.PageParameters;
import dev.waybill.common.security.CallerContext;
import dev.waybill.common.security.Role;
import dev.waybill.common.security.WorkspaceRequired;
import dev.waybill.experiment.query.ExperimentRunsQuery;
import dev.waybill.experiment.query.ExperimentRunsService;
import io.smallrye.mutiny.Uni;

/** HTTP resource for examples with the runs of experiments on them, version 2. */
@Path("/api/v2/datasets/{dataset_id}/experiment-runs")
@Produces(MediaType.APPLICATION_JSON)
@AuditLogOnly
@RolesAllowed(Role.MEMBERS)
@WorkspaceRequired
@Tag(name = "Datasets")
class ExperimentRunsV2Resource {

    private final ExperimentRunsService rows;
    private final CallerContext caller;

    ExperimentRunsV2Resource(ExperimentRunsService rows, CallerContext caller) {
        this.rows = rows;
        this.caller = caller;
    }

    @POST
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(operationId = "query_experiment_runs", summary = "Query the examples of a dataset with the runs of experiments on them", description = "Returns the newest examples first. Responds with 422 if the runs are too large for one response: request fewer examples, or select fewer members.")
    public Uni<ItemsResponse> query(@RestPath("dataset_id") UUID datasetId, QueryExperimentRunsV2Request request) {
        Set<RunSelect> selects = RunSelect.SelectParser.require(request.selects() == null ? List.of() : request.selects(),
                RunSelect.ID,
                RunSelect::of);
        int limit = request.pageSize() == null ? PageParameters.DEFAULT_LIMIT : request.pageSize();
        int offset = offset(request.cursor());
        ExperimentRunsQuery query = new ExperimentRunsQuery(datasetId, Objects.requireNonNull(request.experimentIds()),
                request.exampleIds() == null ? List.of() : request.exampleIds(), limit, offset,
                Set.copyOf(RunSelect.fields(selects)));
        return rows.list(caller.workspace(), query)
                .map(examples -> new ItemsResponse(examples.stream().map(example -> selected(selects, example)).toList(),
                        examples.size() < limit ? null : Integer.toString(offset + limit)));
    }

    private static int offset(@Nullable String cursor) {
        try {
            int offset = cursor == null ? 0 : Integer.parseInt(cursor);
            if (offset >= 0) {
                return offset;
            }
        } catch (NumberFormatException e) {
            // Rejected below together with negative offsets.
        }
        throw TimeWindow.invalidCursor();
    }

    @SuppressWarnings("unchecked")
    private static Map<String, @Nullable Object> selected(Set<RunSelect> selects, Map<String, @Nullable Object> example) {
        List<Map<String, @Nullable Object>> runs = (List<Map<String, @Nullable Object>>) Objects
                .requireNonNull(example.get("runs"));
        example.put("runs", runs.stream().map(run -> RunSelect.select(selects, run)).toList());
        return example;
    }
}
