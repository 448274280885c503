package dev.waybill.experiment.v2;

import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;

import dev.waybill.common.api.trace.ItemsResponse;
import dev.waybill.common.api.trace.QueryRunsRequest;
import dev.waybill.common.api.trace.QueryRunsV2Request;
import dev.waybill.common.api.trace.RunResponse;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.experiment.query.RunQueryService;
import dev.waybill.experiment.run.RunField;
import dev.waybill.experiment.run.RunLookupService;
import io.smallrye.mutiny.Uni;

/** Queries and reads runs. */
@Singleton
class RunV2Service {

    private final RunQueryService queries;
    private final RunLookupService runs;
    private final ProjectRepository projects;
    private final Clock clock;

    RunV2Service(RunQueryService queries, RunLookupService runs, ProjectRepository projects, Clock clock) {
        this.queries = queries;
        this.runs = runs;
        this.projects = projects;
        this.clock = clock;
    }

    /** Returns one page of runs. */
    Uni<ItemsResponse> query(UUID tenantId, QueryRunsV2Request request) {
        TimeWindow window = TimeWindow.of(request.minStartTime(), request.maxStartTime(), request.cursor(), clock);
        return projects(tenantId, request).chain(ids -> ids.isEmpty()
                ? Uni.createFrom().item(new ItemsResponse(List.of(), null))
                : query(tenantId, request, window, ids));
    }

    private Uni<ItemsResponse> query(UUID tenantId, QueryRunsV2Request request, TimeWindow window, List<UUID> projectIds) {
        Set<RunSelect> selects = RunSelect.SelectParser.require(request.selects() == null ? List.of() : request.selects(),
                RunSelect.ID,
                RunSelect::of);
        String runType = request.runType() == null ? null : request.runType().toLowerCase(Locale.ROOT);
        QueryRunsRequest query = new QueryRunsRequest(array(projectIds), array(request.ids()), request.traceId(), null,
                array(request.referenceExamples()), runType, request.isRoot(), request.hasError(), window.from(), window.to(),
                null, request.filter(), request.traceFilter(), request.treeFilter(), null, request.pageSize(), window.cursor(),
                RunSelect.fields(selects), null, null, null);
        return queries.query(tenantId, query)
                .map(page -> new ItemsResponse(page.runs().stream().map(run -> RunSelect.select(selects, run)).toList(),
                        window.next(page.cursors().next())));
    }

    /** Returns the selected members of a run; responds with 404 if it is not in the project. */
    Uni<Map<String, @Nullable Object>> get(UUID tenantId, UUID projectId, UUID runId, List<String> selects) {
        Set<RunSelect> selected = RunSelect.SelectParser.require(selects, RunSelect.ID, RunSelect::of);
        return runs.get(tenantId, runId)
                .invoke(run -> {
                    if (!run.sessionId().equals(projectId)) {
                        throw ProblemException.notFound("run", runId);
                    }
                })
                .map(run -> RunSelect.select(selected, members(run)));
    }

    private Uni<List<UUID>> projects(UUID tenantId, QueryRunsV2Request request) {
        UUID datasetId = request.referenceDatasetId();
        return datasetId == null
                ? Uni.createFrom().item(request.projectIds() == null ? List.of() : request.projectIds())
                : projects.ofDataset(tenantId, datasetId);
    }

    static ArrayNode array(@Nullable List<UUID> ids) {
        ArrayNode array = JsonNodeFactory.instance.arrayNode();
        if (ids != null) {
            ids.forEach(id -> array.add(id.toString()));
        }
        return array;
    }

    private static Map<String, @Nullable Object> members(RunResponse run) {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        for (RunField field : RunField.values()) {
            members.put(field.wireName(), field.of(run));
        }
        return members;
    }
}
