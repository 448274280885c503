package dev.waybill.experiment.query;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;

import dev.waybill.common.api.trace.QueryRunsRequest;
import dev.waybill.common.database.Database;
import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.experiment.dataset.DatasetService;
import io.smallrye.mutiny.Uni;

/** Lists examples with the runs of experiments on them. */
@Singleton
public class ExperimentRunsService {

    private static final String EXAMPLE = "reference_example_id";
    private static final int PAGE_SIZE = 1_000;
    // Bounds the size of the response: each page has at most RunQueryService.MAX_PAGE_BYTES and one run.
    private static final int MAX_PAGES = 8;

    private final Database database;
    private final DatasetService datasets;
    private final ExampleRowRepository examples;
    private final RunQueryService queries;

    ExperimentRunsService(Database database, DatasetService datasets, ExampleRowRepository examples, RunQueryService queries) {
        this.database = database;
        this.datasets = datasets;
        this.examples = examples;
        this.queries = queries;
    }

    /** Returns the examples, each with its {@code runs}; responds with 404 if the dataset does not exist. */
    public Uni<List<Map<String, @Nullable Object>>> list(UUID tenantId, ExperimentRunsQuery query) {
        return database.inWorkspace(tenantId, connection -> datasets.require(connection, tenantId, query.datasetId())
                .chain(() -> examples.list(connection, tenantId, query)))
                .chain(found -> found.isEmpty() ? Uni.createFrom().item(found)
                        : runs(tenantId, query, ids(found), null, new ArrayList<>(), 1).map(runs -> withRuns(found, runs)));
    }

    private Uni<List<Map<String, @Nullable Object>>> runs(UUID tenantId, ExperimentRunsQuery query, ArrayNode exampleIds,
            @Nullable String cursor, List<Map<String, @Nullable Object>> collected, int page) {
        ArrayNode sessions = JsonNodeFactory.instance.arrayNode();
        query.experiments().forEach(id -> sessions.add(id.toString()));
        List<String> select = new ArrayList<>(query.fields());
        select.add(EXAMPLE);
        QueryRunsRequest runQuery = new QueryRunsRequest(sessions, null, null, null, exampleIds, null, true, null, null, null,
                null,
                null, null, null, "asc", PAGE_SIZE, cursor, select, null, null, null);
        return queries.query(tenantId, runQuery).chain(found -> {
            collected.addAll(found.runs());
            String next = found.cursors().next();
            if (next == null) {
                return Uni.createFrom().item(collected);
            }
            if (page == MAX_PAGES) {
                throw new ProblemException(CommonProblem.INVALID, "The runs on these examples are too large for one response;"
                        + " request fewer examples, or previews.");
            }
            return runs(tenantId, query, exampleIds, next, collected, page + 1);
        });
    }

    private static ArrayNode ids(List<Map<String, @Nullable Object>> examples) {
        ArrayNode ids = JsonNodeFactory.instance.arrayNode();
        examples.forEach(example -> ids.add(String.valueOf(example.get("id"))));
        return ids;
    }

    private static List<Map<String, @Nullable Object>> withRuns(List<Map<String, @Nullable Object>> examples,
            List<Map<String, @Nullable Object>> runs) {
        Map<Object, List<Map<String, @Nullable Object>>> byExample = new HashMap<>();
        runs.forEach(run -> byExample.computeIfAbsent(String.valueOf(run.get(EXAMPLE)), id -> new ArrayList<>()).add(run));
        examples.forEach(example -> example.put("runs",
                byExample.getOrDefault(String.valueOf(example.get("id")), List.of())));
        return examples;
    }
}
