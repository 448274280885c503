package dev.waybill.experiment.example;

import static dev.waybill.experiment.ApiClient.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.nullValue;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import dev.waybill.experiment.Rows;
import dev.waybill.experiment.TestRun;
import dev.waybill.experiment.TestUpload;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;

@QuarkusTest
class ExampleTest {

    private final Account account = Accounts.account().create();
    private String dataset;

    @BeforeEach
    void createDataset() {
        dataset = create("datasets", Map.of("name", "questions")).path("id");
    }

    @ParameterizedTest
    @ValueSource(strings = { "/api/v1/platform/", "/platform/", "/v1/platform/" })
    void storesMultipartExamplesUnchanged(String prefix) {
        // Given
        UUID first = UUID.randomUUID();
        UUID second = UUID.randomUUID();
        Map<String, String> parts = new LinkedHashMap<>();
        parts.put(first.toString(),
                """
                        {"created_at": "2026-11-20T08:00:00.000Z", "metadata": {"z": 1.50, "a": "\\u0000"}, "split": ["test", "ü\\""]}""");
        parts.put(first + ".inputs", "{\"q\":  1e2}");
        parts.put(first + ".outputs", "{\"a\": \"\\u0000\"}");
        parts.put(second + ".inputs", "{}");
        parts.put(second.toString(), "{}");

        // When
        Response create = form(parts).post(prefix + "datasets/" + dataset + "/examples");

        // Then
        create.then().statusCode(201)
                .body("count", equalTo(2))
                .body("example_ids", equalTo(List.of(first.toString(), second.toString())));
        as(account).get("/api/v1/examples/" + first).then().statusCode(200)
                .body("id", equalTo(first.toString()))
                .body("dataset_id", equalTo(dataset))
                .body("metadata", equalTo(Map.of("z", 1.5f, "a", "\u0000", "dataset_split", List.of("test", "ü\""))))
                .body("created_at", equalTo("2026-11-20T08:00:00.000000Z"));
        as(account).get("/examples/" + second).then().statusCode(200)
                .body("inputs", equalTo(Map.of()))
                .body("outputs", nullValue())
                .body("metadata", nullValue());
        assertThat(stored("inputs", first)).isEqualTo("{\"q\":  1e2}");
        assertThat(stored("outputs", first)).isEqualTo("{\"a\": \"\\u0000\"}");
        as(account).get("/datasets/" + dataset).then().body("example_count", equalTo(2));
    }

    @Test
    void createsSingleExamplesAndLists() {
        // Given
        UUID run = UUID.randomUUID();

        // When
        Response one = create("examples", Map.of("dataset_id", dataset, "inputs", Map.of("q", 1), "outputs", Map.of("a", 2),
                "split", "test", "source_run_id", run.toString(), "created_at", "2026-11-20T08:00:00"));
        Response many = create("examples/bulk", List.of(Map.of("dataset_id", dataset, "inputs", Map.of("q", 2)),
                Map.of("dataset_id", dataset, "inputs", Map.of("q", 3))));

        // Then
        one.then().statusCode(200)
                .body("inputs.q", equalTo(1))
                .body("outputs.a", equalTo(2))
                .body("metadata.dataset_split", equalTo(List.of("test")))
                .body("source_run_id", equalTo(run.toString()))
                .body("created_at", equalTo("2026-11-20T08:00:00.000000Z"));
        many.then().statusCode(200).body("count", equalTo(2));
        Response page = as(account).get("/examples?inline_s3_urls=true&limit=2&offset=1&dataset=" + dataset);
        assertThat(page.header("X-Pagination-Total")).isEqualTo("3");
        assertThat(page.jsonPath().getList("inputs.q")).hasSize(2).endsWith(1);
        assertThat(as(account).get("/datasets/" + dataset + "/examples").jsonPath().getList("inputs.q"))
                .containsExactlyInAnyOrder(1, 2, 3).endsWith(1);
        assertThat(ids("id=" + one.path("id") + "&id=" + many.path("example_ids[1]")))
                .containsExactly(many.path("example_ids[1]"), one.path("id"));
    }

    @Test
    void sameIdempotencyKeyCreatesOneExample() {
        // Given
        String body = TestRun.json(Map.of("dataset_id", dataset, "inputs", Map.of("q", 1)));
        RequestSpecification request = as(account).header("Idempotency-Key", "once").contentType("application/json");

        // When
        Response first = request.body(body).post("/examples");
        Response repeated = as(account).header("Idempotency-Key", "once").contentType("application/json").body(body)
                .post("/examples");
        Response other = as(account).header("Idempotency-Key", "once").contentType("application/json").body(body + " ")
                .post("/examples");

        // Then
        assertThat(repeated.jsonPath().getMap("$")).isEqualTo(first.jsonPath().getMap("$"));
        other.then().statusCode(422);
        assertThat(count()).isOne();
    }

    @Test
    void reportsAllViolationsAndStoresNothing() {
        // When
        Response list = create("examples/bulk", List.of(Map.of(),
                Map.of("dataset_id", 7, "inputs", "x", "split", 3, "attachments",
                        Map.of("a", List.of("text/plain", "x")), "use_source_run_io", true, "created_at", "yesterday"),
                Map.of("dataset_id", dataset, "inputs", Map.of(), "split", "a", "metadata", Map.of("dataset_split", "b"))));
        UUID id = UUID.randomUUID();
        UUID incomplete = UUID.randomUUID();
        Response form = form(Map.of(id.toString(), "{}", id + ".attachment.a", "x", id + ".extra", "{}", "x", "{}",
                incomplete + ".inputs", "{}", id + ".outputs", "[]"))
                .post("/platform/datasets/" + dataset + "/examples");

        // Then
        list.then().statusCode(422);
        assertThat(locations(list)).containsExactlyInAnyOrder("0.inputs", "0.dataset_id", "1.dataset_id", "1.inputs", "1.split",
                "1.attachments", "1.use_source_run_io", "1.created_at", "2.split");
        form.then().statusCode(422);
        assertThat(locations(form)).containsExactlyInAnyOrder(id + ".attachment.a", id + ".extra", "x", incomplete.toString(),
                id + ".outputs.outputs", id + ".inputs");
        create("examples/bulk", Map.of()).then().statusCode(422);
        create("examples/bulk", List.of()).then().statusCode(422);
        as(account).contentType("application/json").body("{").post("/examples").then().statusCode(400);
        assertThat(count()).isZero();
    }

    @Test
    void returns409AndChangesNothingForAnExistingId() {
        // Given
        String existingId = create("examples", Map.of("dataset_id", dataset, "inputs", Map.of("q", 1))).path("id");

        // When
        Response repeated = create("examples/bulk", List.of(Map.of("dataset_id", dataset, "inputs", Map.of("q", 2)),
                Map.of("id", existingId, "dataset_id", dataset, "inputs", Map.of("q", 3))));

        // Then
        repeated.then().statusCode(409);
        assertThat(repeated.<String> path("detail")).contains(existingId);
        assertThat(as(account).get("/examples?dataset=" + dataset).jsonPath().getList("inputs.q")).isEqualTo(List.of(1));
    }

    @Test
    void returns409ForDatasetsManagedByUploads() {
        // Given
        String managed = as(account).contentType("application/json").body(TestUpload.ofRows(1).json())
                .post("/api/v1/datasets/upload-experiment").path("dataset.id");
        String example = ids("dataset=" + managed).getFirst();

        // When
        List<Response> responses = List.of(
                create("examples", Map.of("dataset_id", managed, "inputs", Map.of())),
                form(Map.of(example, "{}", example + ".inputs", "{}")).patch("/platform/datasets/" + managed + "/examples"),
                as(account).contentType("application/json").body("{\"inputs\": {}}").patch("/examples/" + example),
                as(account).delete("/examples/" + example),
                as(account).delete("/examples?example_ids=" + example));

        // Then
        assertThat(responses).extracting(Response::statusCode).containsOnly(409);
        as(account).get("/examples/" + example).then().body("inputs.question", equalTo("why?"));
    }

    @Test
    void updateKeepsAbsentMembers() {
        // Given
        String one = create("examples", Map.of("dataset_id", dataset, "inputs", Map.of("q", 1), "outputs", Map.of("a", 1),
                "metadata", Map.of("m", 1), "split", "test")).path("id");
        String other = create("examples", Map.of("dataset_id", dataset, "inputs", Map.of("q", 2))).path("id");

        // When
        Response alone = as(account).contentType("application/json").body("{\"outputs\": {\"a\": 2}, \"metadata\": null}")
                .patch("/examples/" + one);
        Response form = form(Map.of(one, "{\"metadata\": {\"m\": 2}, \"split\": \"train\"}", other, "{}", other + ".inputs",
                "{\"q\": 3}")).patch("/platform/datasets/" + dataset + "/examples");

        // Then
        alone.then().statusCode(200)
                .body("inputs.q", equalTo(1))
                .body("outputs.a", equalTo(2))
                .body("metadata.m", equalTo(1));
        form.then().statusCode(200).body("count", equalTo(2));
        as(account).get("/examples/" + one).then()
                .body("inputs.q", equalTo(1))
                .body("outputs.a", equalTo(2))
                .body("metadata", equalTo(Map.of("m", 2, "dataset_split", List.of("train"))));
        as(account).get("/examples/" + other).then().body("inputs.q", equalTo(3));
        assertThat(stored("inputs_version", UUID.fromString(one))).isEqualTo("1");
        assertThat(stored("inputs_version", UUID.fromString(other))).isEqualTo("2");
        assertThat(ids("splits=train&dataset=" + dataset)).containsExactly(one);
    }

    @Test
    void returns404ForUpdatesOfMissingExamples() {
        // Given
        String one = create("examples", Map.of("dataset_id", dataset, "inputs", Map.of("q", 1))).path("id");
        String otherDataset = create("datasets", Map.of("name", "others")).path("id");

        // When
        List<Response> missing = List.of(
                as(account).contentType("application/json").body("{}").patch("/examples/" + UUID.randomUUID()),
                as(account).contentType("application/json").body(Map.of("dataset_id", otherDataset)).patch("/examples/" + one),
                form(Map.of(one, "{}")).patch("/platform/datasets/" + otherDataset + "/examples"),
                as(account).delete("/examples?example_ids=" + one + "&example_ids=" + UUID.randomUUID()));
        Response split = as(account).contentType("application/json").body("{\"split\": \"a\"}").patch("/examples/" + one);

        // Then
        assertThat(missing).extracting(Response::statusCode).containsOnly(404);
        split.then().statusCode(422);
        as(account).get("/examples/" + one).then().statusCode(200);
    }

    @Test
    void deletedExamplesAreNotFound() {
        // Given
        List<String> ids = Stream.generate(() -> create("examples", Map.of("dataset_id", dataset, "inputs", Map.of("q", 1)))
                .<String> path("id")).limit(5).toList();

        // When
        as(account).delete("/examples/" + ids.get(0)).then().statusCode(200);
        as(account).delete("/examples?example_ids=" + ids.get(1) + "&example_ids=" + ids.get(2)).then().statusCode(200);
        as(account).contentType("application/json").body(Map.of("example_ids", List.of(ids.get(3)), "hard_delete", true))
                .post("/v1/platform/datasets/examples/delete").then().statusCode(200);

        // Then
        assertThat(ids("dataset=" + dataset)).containsExactly(ids.get(4));
        as(account).get("/examples/" + ids.get(0)).then().statusCode(404);
        as(account).delete("/examples/" + ids.get(0)).then().statusCode(404);
    }

    @ParameterizedTest
    @CsvSource({ "limit=1, 422", "dataset=01999999-0000-7000-8000-000000000000, 404",
            "id=01999999-0000-7000-8000-000000000000&as_of=latest, 200",
            "id=01999999-0000-7000-8000-000000000000&as_of=2026-11-20T00:00:00Z, 422",
            "id=01999999-0000-7000-8000-000000000000&metadata=%7B%7D, 200",
            "id=01999999-0000-7000-8000-000000000000&metadata=7, 422",
            "id=01999999-0000-7000-8000-000000000000&metadata=%7B%22a%22:[]%7D, 422",
            "dataset=01999999-0000-7000-8000-000000000000&as_of=prod, 422",
            "dataset=01999999-0000-7000-8000-000000000000&as_of=2026-11-20T00:00:00Z, 404",
            "id=01999999-0000-7000-8000-000000000000&filter=x, 422",
            "id=01999999-0000-7000-8000-000000000000&limit=0, 422" })
    void rejectsInvalidAndUnknownQueries(String query, int status) {
        as(account).urlEncodingEnabled(false).get("/examples?" + query).then().statusCode(status);
    }

    @Test
    void readsEarlierVersionsIfExamplesWereOnlyAdded() {
        // Given
        Response first = create("examples", Map.of("dataset_id", dataset, "inputs", Map.of("q", 1)));
        String firstId = first.path("id");
        String version = first.path("modified_at");
        String later = create("examples", Map.of("dataset_id", dataset, "inputs", Map.of("q", 2))).path("id");

        // When / Then
        assertThat(ids("dataset=" + dataset + "&as_of=" + version)).containsExactly(firstId);
        assertThat(ids("dataset=" + dataset + "&as_of=latest")).containsExactly(later, firstId);
        as(account).delete("/examples/" + later).then().statusCode(200);
        assertThat(ids("dataset=" + dataset + "&as_of=" + version)).containsExactly(firstId);
        create("examples", Map.of("dataset_id", dataset, "inputs", Map.of("q", 3)));
        as(account).get("/examples?dataset=" + dataset + "&as_of=" + version).then().statusCode(422)
                .body("errors[0].loc", equalTo(List.of("as_of")));
        String now = as(account).contentType("application/json").body("{\"outputs\": {\"a\": 1}}").patch("/examples/" + firstId)
                .path("modified_at");
        assertThat(ids("dataset=" + dataset + "&as_of=" + now)).hasSize(2).contains(firstId);
        create("examples", Map.of("dataset_id", dataset, "inputs", Map.of()));
        assertThat(ids("dataset=" + dataset + "&as_of=" + now)).hasSize(2).contains(firstId);
        as(account).contentType("application/json").body("{\"outputs\": {\"a\": 2}}").patch("/examples/" + firstId);
        as(account).get("/examples?dataset=" + dataset + "&as_of=" + now).then().statusCode(422);
    }

    @Test
    void readsAnExampleAsOfATimeUnlessItWasUpdatedSince() {
        // Given
        Response created = create("examples", Map.of("dataset_id", dataset, "inputs", Map.of("q", 1)));
        String path = "/examples/" + created.path("id") + "?as_of=";
        String version = created.path("modified_at");

        // When / Then
        as(account).get(path + "latest").then().statusCode(200);
        as(account).get(path + version).then().statusCode(200);
        as(account).get(path + "2026-01-01T00:00:00Z").then().statusCode(404);
        as(account).get(path + "prod").then().statusCode(422);
        as(account).contentType("application/json").body("{\"outputs\": {}}").patch("/examples/" + created.path("id"));
        as(account).get(path + version).then().statusCode(422).body("errors[0].loc", equalTo(List.of("as_of")));
    }

    @Test
    void filtersByMetadata() {
        // Given
        String one = create("examples", Map.of("dataset_id", dataset, "inputs", Map.of(), "metadata",
                Map.of("lang", "d\u00e4 \"x\"", "n", 1, "ok", true))).path("id");
        String other = create("examples", Map.of("dataset_id", dataset, "inputs", Map.of(), "metadata",
                Map.of("n", 1, "z", "\u0000"))).path("id");
        create("examples", Map.of("dataset_id", dataset, "inputs", Map.of()));

        // When / Then
        assertThat(withMetadata(Map.of("n", 1))).containsExactlyInAnyOrder(one, other);
        assertThat(withMetadata(Map.of("n", 1, "ok", true, "lang", "d\u00e4 \"x\""))).containsExactly(one);
        assertThat(withMetadata(Map.of("n", 2))).isEmpty();
        assertThat(withMetadata(Map.of())).hasSize(3);
    }

    private List<String> withMetadata(Map<String, Object> metadata) {
        return as(account).queryParam("dataset", dataset).queryParam("metadata", TestRun.json(metadata)).get("/examples")
                .jsonPath().getList("id");
    }

    @Test
    void examplesWithoutSplitsBelongToBase() {
        // Given
        String none = create("examples", Map.of("dataset_id", dataset, "inputs", Map.of())).path("id");
        String test = create("examples", Map.of("dataset_id", dataset, "inputs", Map.of(), "metadata",
                Map.of("dataset_split", List.of("test", "x")))).path("id");

        // Then
        assertThat(ids("splits=base&dataset=" + dataset)).containsExactly(none);
        assertThat(ids("splits=x&dataset=" + dataset)).containsExactly(test);
        assertThat(ids("splits=base&splits=test&dataset=" + dataset)).containsExactlyInAnyOrder(none, test);
    }

    @Test
    @Tag("full")
    void acceptsExamplesUpToTheIntakeLimit() {
        // Given
        String large = "x".repeat(3 << 20);

        // When
        Response create = create("examples", Map.of("dataset_id", dataset, "inputs", Map.of("q", large)));
        Response tooLarge = create("examples", Map.of("dataset_id", dataset, "inputs", Map.of("q", large.repeat(7))));

        // Then
        create.then().statusCode(200).body("inputs.q.length()", equalTo(large.length()));
        tooLarge.then().statusCode(413);
    }

    private Response create(String path, Object body) {
        return as(account).contentType("application/json").body(TestRun.json(body)).post("/api/v1/" + path);
    }

    /** Builds a form as clients send it: every part has a file name and no length. */
    private RequestSpecification form(Map<String, String> parts) {
        RequestSpecification request = as(account);
        parts.forEach((name, json) -> request.multiPart(name, "blob", json.getBytes(StandardCharsets.UTF_8),
                "application/json"));
        return request;
    }

    private List<String> ids(String query) {
        return as(account).get("/api/v1/examples?" + query).jsonPath().getList("id", String.class);
    }

    private static List<String> locations(Response response) {
        return response.jsonPath().<List<Object>> getList("errors.loc").stream()
                .map(loc -> loc.stream().map(String::valueOf).collect(Collectors.joining(".")))
                .toList();
    }

    private String stored(String column, UUID id) {
        return Rows.value("SELECT " + column + " FROM trace.examples WHERE tenant_id = ? AND id = ?", account.workspaceId(),
                id);
    }

    private long count() {
        return Rows.count("SELECT count(*) FROM trace.examples WHERE tenant_id = ?", account.workspaceId());
    }
}
