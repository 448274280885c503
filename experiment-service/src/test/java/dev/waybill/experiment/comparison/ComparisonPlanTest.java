package dev.waybill.experiment.comparison;

import static dev.waybill.experiment.ApiClient.as;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.BiFunction;

import jakarta.inject.Inject;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.waybill.common.database.Database;
import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import dev.waybill.experiment.ExplainedConnection;
import dev.waybill.experiment.ExplainedConnection.ExplainedQuery;
import dev.waybill.experiment.Rows;
import dev.waybill.experiment.TestUpload;
import dev.waybill.experiment.comparison.ComparisonScopeService.ComparisonScope;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import io.smallrye.mutiny.Uni;

/**
 * Plans of comparisons directly after uploads, when the statistics of PostgreSQL do not contain the experiments. With nested
 * loops over their rows, comparing experiments of 50,000 rows took minutes.
 */
@QuarkusTest
class ComparisonPlanTest {

    private static final int ROWS = 300;
    private static final String KEY = "correctness";

    private final Account account = Accounts.account().create();
    private final List<UUID> experiments = new ArrayList<>();
    private UUID dataset;

    @Inject
    Database database;
    @Inject
    ComparisonScopeService scopes;
    @Inject
    ExperimentScoreRepository scores;
    @Inject
    ComparisonRowRepository rows;
    @Inject
    DistributionRepository distributions;

    @BeforeEach
    void uploadAfterAnalyze() {
        upload(TestUpload.ofRows(20));
        Rows.value("ANALYZE trace.runs");
        Rows.value("ANALYZE trace.feedback");
        TestUpload upload = TestUpload.ofRows(ROWS);
        for (String name : List.of("first", "second", "third")) {
            Response response = upload(upload.with("experiment_name", name));
            dataset = UUID.fromString(response.path("dataset.id"));
            experiments.add(UUID.fromString(response.path("experiment.id")));
        }
    }

    @Test
    void summaryJoinsScoresWithoutNestedLoops() {
        assertNoNestedLoops(explain((connection, scope) -> scores.find(connection, scope)), 2);
    }

    @Test
    void orderOfRowsJoinsScoresWithoutNestedLoops() {
        for (RowSelection.Sort sort : RowSelection.Sort.values()) {
            for (RowSelection.Filter filter : RowSelection.Filter.values()) {
                RowSelection selection = new RowSelection(KEY, sort, filter, null, List.of(), List.of(), null);
                assertNoNestedLoops(explain((connection, scope) -> rows.order(connection, scope, selection, 0)), 1);
            }
        }
        RowSelection anyKey = new RowSelection(null, RowSelection.Sort.EXAMPLE, RowSelection.Filter.WORSE, null, List.of(),
                List.of(), null);
        assertNoNestedLoops(explain((connection, scope) -> rows.order(connection, scope, anyKey, 0)), 1);
    }

    @Test
    void distributionJoinsScoresWithoutNestedLoops() {
        DistributionQuery query = new DistributionQuery(KEY, experiments.get(1), experiments.getFirst(), 20);
        assertNoNestedLoops(explain(
                (connection, scope) -> distributions.find(connection, account.workspaceId(), query)), 2);
    }

    @Test
    void rowsFindTheirScoresByRun() {
        List<ExplainedQuery> queries = explain((connection, scope) -> rows.next(connection, scope, null, 100)
                .call(examples -> rows.load(connection, scope, examples))
                .chain(examples -> rows.loadWithComments(connection, scope, examples.getFirst())));
        List<ExplainedQuery> ofFeedback = queries.stream().filter(query -> query.sql().contains("trace.feedback")).toList();
        assertThat(ofFeedback).hasSize(3)
                .allSatisfy(query -> assertThat(query.plan().findValuesAsText("Index Name")).as(query.toString())
                        .filteredOn(name -> name.startsWith("feedback")).containsOnly("feedback_of_runs"));
    }

    private <T> List<ExplainedQuery> explain(BiFunction<ExplainedConnection, ComparisonScope, Uni<T>> read) {
        UUID tenantId = account.workspaceId();
        return database.inWorkspaceSnapshot(tenantId, connection -> {
            ExplainedConnection explained = new ExplainedConnection(connection);
            return scopes.scope(connection, tenantId, dataset, experiments, experiments.getFirst(), null)
                    .chain(scope -> read.apply(explained, scope))
                    .map(ignored -> explained.queries());
        }).await().atMost(Duration.ofMinutes(2));
    }

    private static void assertNoNestedLoops(List<ExplainedQuery> queries, int expected) {
        assertThat(queries).hasSize(expected)
                .allSatisfy(query -> assertThat(query.nodeTypes()).as(query.toString()).doesNotContain("Nested Loop"));
    }

    private Response upload(TestUpload upload) {
        Response response = as(account).contentType("application/json").body(upload.json())
                .post("/api/v1/datasets/upload-experiment");
        response.then().statusCode(200);
        return response;
    }
}
