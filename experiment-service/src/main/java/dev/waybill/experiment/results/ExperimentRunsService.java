package dev.waybill.experiment.results;

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
import dev.waybill.experiment.query.RunQueryService;
import io.smallrye.mutiny.Uni;

/** Reads examples with the runs of experiments on them. */
@Singleton
public class ExperimentRunsService {

    private static final String EXAMPLE = "reference_example_id";
    private static final int RUNS_IN_A_PAGE = 1_000;
    // Each page has at most waybill.query.max-page-size bytes.
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

    /** Returns the examples, each with {@code runs}; 404 when the dataset does not exist. */
    public Uni<List<Map<String, @Nullable Object>>> list(UUID tenantId, ExperimentRunsQuery asked) {
        return database.inWorkspace(tenantId, connection -> datasets.require(connection, tenantId, asked.datasetId())
                .chain(() -> examples.list(connection, tenantId, asked)))
                .chain(found -> found.isEmpty() ? Uni.createFrom().item(found)
                        : runs(tenantId, asked, ids(found), null, new ArrayList<>(), 1).map(runs -> joined(found, runs)));
    }

    private Uni<List<Map<String, @Nullable Object>>> runs(UUID tenantId, ExperimentRunsQuery asked, ArrayNode exampleIds,
            @Nullable String cursor, List<Map<String, @Nullable Object>> before, int page) {
        ArrayNode sessions = JsonNodeFactory.instance.arrayNode();
        asked.experiments().forEach(id -> sessions.add(id.toString()));
        List<String> select = new ArrayList<>(asked.fields());
        select.add(EXAMPLE);
        QueryRunsRequest query = new QueryRunsRequest(sessions, null, null, null, exampleIds, null, true, null, null, null,
                null,
                null, null, null, "asc", RUNS_IN_A_PAGE, cursor, select, null, null);
        return queries.query(tenantId, query).chain(found -> {
            before.addAll(found.runs());
            String next = found.cursors().next();
            if (next == null) {
                return Uni.createFrom().item(before);
            }
            if (page == MAX_PAGES) {
                throw new ProblemException(CommonProblem.INVALID, "The runs on these examples are too large for one response;"
                        + " ask for fewer examples at once, or for previews.");
            }
            return runs(tenantId, asked, exampleIds, next, before, page + 1);
        });
    }

    private static ArrayNode ids(List<Map<String, @Nullable Object>> examples) {
        ArrayNode ids = JsonNodeFactory.instance.arrayNode();
        examples.forEach(example -> ids.add(String.valueOf(example.get("id"))));
        return ids;
    }

    private static List<Map<String, @Nullable Object>> joined(List<Map<String, @Nullable Object>> examples,
            List<Map<String, @Nullable Object>> runs) {
        Map<Object, List<Map<String, @Nullable Object>>> byExample = new HashMap<>();
        runs.forEach(run -> byExample.computeIfAbsent(String.valueOf(run.get(EXAMPLE)), id -> new ArrayList<>()).add(run));
        examples.forEach(example -> example.put("runs",
                byExample.getOrDefault(String.valueOf(example.get("id")), List.of())));
        return examples;
    }
}
