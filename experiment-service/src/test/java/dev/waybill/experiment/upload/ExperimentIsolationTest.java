package dev.waybill.experiment.upload;

import static dev.waybill.experiment.ApiClient.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import dev.waybill.experiment.Rows;
import dev.waybill.experiment.TestUpload;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;

/** Threats T10 and T11: experiments of other workspaces are inaccessible by id, name, filter and session. */
@QuarkusTest
class ExperimentIsolationTest {

    private final Account mine = Accounts.account().create();
    private final Account other = Accounts.account().create();
    private final TestUpload upload = TestUpload.ofRows(2);
    private UUID dataset;
    private UUID session;

    @BeforeEach
    void uploadToTheOtherWorkspace() {
        Response uploaded = upload(other, upload);
        dataset = UUID.fromString(uploaded.path("dataset.id"));
        session = UUID.fromString(uploaded.path("experiment.id"));
    }

    @TestFactory
    Stream<DynamicTest> returnsTheSame404ForForeignAndUnknownIds() {
        return Stream.of(
                access("read a dataset", dataset, id -> as(mine).get("/api/v1/datasets/" + id)),
                access("list examples", dataset, id -> as(mine).get("/api/v1/datasets/" + id + "/examples")),
                access("delete a dataset", dataset, id -> as(mine).delete("/api/v1/datasets/" + id)),
                access("rename a dataset", dataset, id -> json("{\"name\": \"mine\"}").patch("/api/v1/datasets/" + id)),
                access("list examples by dataset", dataset, id -> as(mine).get("/api/v1/examples?dataset=" + id)),
                access("add an example", dataset,
                        id -> json("{\"dataset_id\": \"" + id + "\", \"inputs\": {}}").post("/api/v1/examples")),
                access("add a form of examples", dataset,
                        id -> form().post("/api/v1/platform/datasets/" + id + "/examples")),
                access("read an example", example(), id -> as(mine).get("/api/v1/examples/" + id)),
                access("change an example", example(), id -> json("{}").patch("/api/v1/examples/" + id)),
                access("delete an example", example(), id -> as(mine).delete("/api/v1/examples/" + id)),
                access("delete examples", example(), id -> as(mine).delete("/api/v1/examples?example_ids=" + id)),
                access("run an experiment on a dataset", dataset,
                        id -> json("{\"name\": \"e\", \"reference_dataset_id\": \"" + id + "\"}").post("/api/v1/sessions")),
                access("read an experiment", session, id -> as(mine).get("/api/v1/sessions/" + id + "?include_stats=true")));
    }

    private UUID example() {
        return UUID
                .fromString(Rows.value("SELECT id FROM trace.examples WHERE tenant_id = ? ORDER BY id", other.workspaceId()));
    }

    private RequestSpecification json(String body) {
        return as(mine).contentType("application/json").body(body);
    }

    private RequestSpecification form() {
        String id = UUID.randomUUID().toString();
        return as(mine).multiPart(id, "blob", new byte[] { '{', '}' }, "application/json")
                .multiPart(id + ".inputs", "blob", new byte[] { '{', '}' }, "application/json");
    }

    @Test
    void listsExcludeOtherWorkspaces() {
        for (String list : List.of("datasets", "datasets?id=" + dataset, "datasets?name=" + upload.get("dataset_name"),
                "datasets?name_contains=dataset", "sessions?reference_dataset=" + dataset, "examples?id=" + example(),
                "sessions?id=" + session,
                "sessions?name=" + upload.get("experiment_name"), "sessions?include_stats=true")) {
            assertThat(as(mine).get("/api/v1/" + list).asString()).as(list).isEqualTo("[]");
            assertThat(as(other).get("/api/v1/" + list).asString()).as(list).isNotEqualTo("[]");
        }
    }

    @Test
    void sameUploadInTwoWorkspacesCreatesTwoExperiments() {
        // When
        Response uploaded = upload(mine, upload.with("dataset_id", dataset.toString()));

        // Then
        uploaded.then().statusCode(200)
                .body("dataset.session_count", equalTo(1))
                .body("dataset.example_count", equalTo(2))
                .body("experiment.test_run_number", equalTo(1));
        assertThat(Rows.count("SELECT count(*) FROM trace.examples WHERE tenant_id = ? AND id = row_id", mine.workspaceId()))
                .isEqualTo(2);
        as(other).get("/api/v1/datasets/" + dataset).then().body("session_count", equalTo(1));
    }

    @TestFactory
    Stream<DynamicTest> rowLevelSecurityHidesOtherWorkspaces() {
        return Stream.of("datasets", "examples", "feedback", "experiment_changes")
                .map(table -> DynamicTest.dynamicTest(table, () -> {
                    assertThat(countVisible(table, mine.workspaceId())).isZero();
                    assertThat(countVisible(table, other.workspaceId())).isPositive();
                }));
    }

    // Connects with the service's role; only row level security restricts the workspace.
    private long countVisible(String table, UUID setting) throws SQLException {
        try (Connection connection = Rows.asService()) {
            connection.setAutoCommit(false);
            Rows.value(connection, "SELECT set_config('waybill.tenant_id', ?, true)", setting.toString());
            return Long.parseLong(Rows.value(connection,
                    "SELECT count(*) FROM trace." + table + " WHERE tenant_id::text = ?", other.workspaceId().toString()));
        }
    }

    private static Response upload(Account account, TestUpload upload) {
        return as(account).contentType("application/json").body(upload.json()).post("/api/v1/datasets/upload-experiment");
    }

    private static DynamicTest access(String name, UUID foreign, Function<UUID, Response> call) {
        return DynamicTest.dynamicTest(name, () -> {
            // Given
            UUID unknown = UUID.randomUUID();

            // When
            Response foreignResponse = call.apply(foreign);
            Response unknownResponse = call.apply(unknown);

            // Then
            assertThat(foreignResponse.statusCode()).isEqualTo(404);
            assertThat(normalize(foreignResponse, foreign)).isEqualTo(normalize(unknownResponse, unknown));
        });
    }

    private static String normalize(Response response, UUID id) {
        return response.asString().replace(id.toString(), "ID").replaceAll("\"request_id\":\"[^\"]*\"", "");
    }
}
