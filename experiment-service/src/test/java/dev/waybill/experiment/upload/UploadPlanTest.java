package dev.waybill.experiment.upload;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

import jakarta.inject.Inject;

import org.junit.jupiter.api.Test;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.common.database.Database;
import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import dev.waybill.experiment.ExplainedConnection;
import dev.waybill.experiment.ExplainedConnection.ExplainedQuery;
import dev.waybill.experiment.RawHttpResponse;
import dev.waybill.experiment.Rows;
import dev.waybill.experiment.TestUpload;
import dev.waybill.experiment.dataset.DatasetService.TestRunAllocation;
import dev.waybill.experiment.example.ExampleWriter;
import dev.waybill.experiment.example.ExampleWriter.UploadedExample;
import dev.waybill.experiment.json.Bytes;
import io.quarkus.test.junit.QuarkusTest;

/**
 * The second upload to a dataset finds each example by its key, although PostgreSQL's statistics do not contain the examples of
 * the first one yet. It was five times slower when each batch read all examples of the dataset.
 */
@QuarkusTest
class UploadPlanTest {

    private static final int ROWS = 2_000;
    private static final int BATCH = 500;

    private final Account account = Accounts.account().create();
    private final TestUpload upload = TestUpload.ofRows(ROWS);

    @Inject
    Database database;
    @Inject
    ExampleWriter examples;

    @Test
    void unchangedExamplesAreFoundByTheirKey() {
        // Given
        TestRunAllocation allocation = uploadAfterAnalyze();

        // When
        List<ExplainedQuery> queries = put(allocation, "why?");

        // Then
        assertThat(queries).hasSize(1);
        assertExamplesAreFoundByKey(queries.getFirst());
    }

    @Test
    void changedExamplesAreFoundByTheirKey() {
        // Given
        TestRunAllocation allocation = uploadAfterAnalyze();

        // When
        List<ExplainedQuery> queries = put(allocation, "why not?");

        // Then
        assertThat(queries).hasSize(2);
        assertExamplesAreFoundByKey(queries.getFirst());
        JsonNode update = queries.getLast().plan();
        assertThat(scansOfExamples(update)).as(queries.getLast().toString()).isEmpty();
        assertThat(update.findValuesAsText("Conflict Resolution")).containsExactly("UPDATE");
        assertThat(Rows.count("""
                SELECT count(*) FROM trace.examples
                WHERE dataset_id = ? AND inputs_version = 2 AND inputs LIKE '%why not?%' AND outputs LIKE '%because%'
                """, allocation.datasetId())).isEqualTo(BATCH);
    }

    private TestRunAllocation uploadAfterAnalyze() {
        send(TestUpload.ofRows(20));
        Rows.value("ANALYZE trace.examples");
        RawHttpResponse response = send(upload);
        return new TestRunAllocation(UUID.fromString(response.json().at("/dataset/id").asText()),
                response.json().at("/dataset/name").asText(), 2);
    }

    private RawHttpResponse send(TestUpload body) {
        RawHttpResponse response = RawHttpResponse.postUpload(account, null, body.json().getBytes(StandardCharsets.UTF_8));
        assertThat(response.status()).isEqualTo(200);
        return response;
    }

    private List<ExplainedQuery> put(TestRunAllocation allocation, String question) {
        List<UploadedExample> batch = IntStream.range(0, BATCH).mapToObj(upload::rowAt)
                .map(row -> new UploadedExample(UUID.fromString((String) row.get("row_id")),
                        Bytes.of("{\"question\":\"" + question + "\"}"), null))
                .toList();
        return database.inWorkspace(account.workspaceId(), connection -> {
            ExplainedConnection explained = new ExplainedConnection(connection);
            return examples.put(explained, account.workspaceId(), allocation, batch, Instant.parse("2026-11-24T00:00:00Z"))
                    .invoke(ids -> assertThat(ids).hasSize(BATCH))
                    .map(ignored -> explained.queries());
        }).await().atMost(Duration.ofMinutes(2));
    }

    private static void assertExamplesAreFoundByKey(ExplainedQuery query) {
        assertThat(scansOfExamples(query.plan())).as(query.toString()).hasSize(1).allSatisfy(scan -> assertThat(
                scan.path("Index Cond").asText()).contains("tenant_id", "dataset_id", "row_id"));
    }

    private static List<JsonNode> scansOfExamples(JsonNode plan) {
        return plan.findParents("Relation Name").stream()
                .filter(node -> node.get("Relation Name").textValue().equals("examples"))
                .filter(node -> !node.get("Node Type").textValue().equals("ModifyTable"))
                .toList();
    }
}
