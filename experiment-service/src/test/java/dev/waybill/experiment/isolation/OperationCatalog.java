package dev.waybill.experiment.isolation;

import static dev.waybill.experiment.isolation.ApiCall.form;
import static dev.waybill.experiment.isolation.ApiCall.json;
import static dev.waybill.experiment.isolation.ApiCall.plain;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.waybill.common.testing.OpenApi.Operation;
import dev.waybill.experiment.TestForm;
import dev.waybill.experiment.TestRun;
import dev.waybill.experiment.TestUpload;

/**
 * Every way in which a caller can name a thing to an operation. Operations that name it in their path alone and take no body
 * need no recipe.
 */
final class OperationCatalog {

    private static final Pattern PARAMETER = Pattern.compile("\\{([a-z_]+)}");
    private static final String DATASETS = "/api/v1/datasets";
    private static final String FEEDBACK = "/api/v1/feedback";
    private static final String RUNS = "/api/v1/runs";
    private static final String SESSIONS = "/api/v1/sessions";

    private final Map<String, List<Way>> recipes = new HashMap<>();

    OperationCatalog() {
        comparisons();
        datasets();
        examples();
        feedback();
        intake();
        queries();
        sessions();
    }

    /** The request that names what {@code asked} has, in the workspace of {@code mine}. */
    @FunctionalInterface
    interface Way {

        ApiCall ask(OwnedResources mine, OwnedResources asked);
    }

    /** The ways of an operation; none when it takes a body and nobody has written a recipe. */
    List<Way> of(Operation operation) {
        List<Way> recipe = recipes.get(operation.toString());
        if (recipe != null || !operation.bodies().isEmpty()) {
            return recipe == null ? List.of() : recipe;
        }
        return List.of((mine, asked) -> plain(operation.method(), path(operation.path(), asked)));
    }

    /** The operations that there are recipes for. */
    List<String> known() {
        return List.copyOf(recipes.keySet());
    }

    /** The path with the ids of {@code asked}. */
    static String path(String template, OwnedResources asked) {
        return PARAMETER.matcher(template).replaceAll(found -> Matcher.quoteReplacement(asked.get(found.group(1))));
    }

    private void on(String operation, Way... ways) {
        recipes.put(operation, List.of(ways));
    }

    /** A list, narrowed by each of these parameters to what {@code asked} has. */
    private void onList(String path, Map<String, String> parameters) {
        List<Way> ways = new ArrayList<>(List.of((mine, asked) -> plain("GET", path)));
        parameters.forEach((parameter, name) -> ways.add((mine, asked) -> plain("GET",
                path + "?" + parameter + "=" + asked.get(name))));
        recipes.put("GET " + path, ways);
    }

    private void comparisons() {
        String other = "other_experiment_id";
        for (String what : List.of("comparison", "gate")) {
            String path = DATASETS + "/{dataset_id}/" + what;
            on("POST " + path,
                    (mine, asked) -> json("POST", path(path, asked), compared(asked.get("experiment_id"), asked.get(other))),
                    (mine, asked) -> json("POST", path(path, mine), compared(asked.get("experiment_id"), mine.get(other))),
                    (mine, asked) -> json("POST", path(path, mine), compared(mine.get("experiment_id"), asked.get(other))));
        }
    }

    private static Map<String, Object> compared(String experiment, String baseline) {
        return Map.of("experiment_ids", List.of(experiment), "baseline_experiment_id", baseline);
    }

    private void datasets() {
        onList(DATASETS, Map.of("id", "dataset_id", "name", "dataset_name", "name_contains", "dataset_name"));
        on("POST " + DATASETS, (mine, asked) -> json("POST", DATASETS, Map.of("name", asked.get("dataset_name"))));
        String one = DATASETS + "/{dataset_id}";
        on("PATCH " + one,
                (mine, asked) -> json("PATCH", path(one, asked), Map.of("description", "changed")),
                (mine, asked) -> json("PATCH", path(one, mine), Map.of("name", asked.get("dataset_name"))),
                (mine, asked) -> json("PATCH", path(one, mine), Map.of("baseline_experiment_id", asked.get("experiment_id"))));
        String upload = DATASETS + "/upload-experiment";
        on("POST " + upload,
                (mine, asked) -> upload(upload, TestUpload.ofRows(1).without("dataset_name").with("dataset_id",
                        asked.get("dataset_id"))),
                (mine, asked) -> upload(upload, TestUpload.ofRows(1).with("dataset_name", asked.get("dataset_name"))),
                (mine, asked) -> {
                    TestUpload body = TestUpload.ofRows(1);
                    body.rowAt(0).put("row_id", asked.get("example_id"));
                    return upload(upload, body);
                });
    }

    private void examples() {
        String examples = "/api/v1/examples";
        Map<String, Object> inputs = Map.of("q", 1);
        on("GET " + examples,
                (mine, asked) -> plain("GET", examples + "?dataset=" + asked.get("dataset_id")),
                (mine, asked) -> plain("GET", examples + "?id=" + asked.get("example_id")));
        on("DELETE " + examples, (mine, asked) -> plain("DELETE", examples + "?example_ids=" + asked.get("plain_example_id")));
        on("POST " + examples,
                (mine, asked) -> json("POST", examples, Map.of("dataset_id", asked.get("plain_dataset_id"), "inputs", inputs)),
                (mine, asked) -> json("POST", examples, Map.of("dataset_id", mine.get("plain_dataset_id"), "inputs", inputs,
                        "source_run_id", asked.get("run_id"))),
                (mine, asked) -> json("POST", examples, Map.of("dataset_id", mine.get("plain_dataset_id"), "inputs", inputs,
                        "id", asked.get("plain_example_id"))));
        on("POST " + examples + "/bulk", (mine, asked) -> json("POST", examples + "/bulk",
                List.of(Map.of("dataset_id", asked.get("plain_dataset_id"), "inputs", inputs))));
        String one = examples + "/{example_id}";
        on("PATCH " + one,
                (mine, asked) -> json("PATCH", examples + "/" + asked.get("plain_example_id"), Map.of("inputs", inputs)),
                (mine, asked) -> json("PATCH", examples + "/" + mine.get("plain_example_id"),
                        Map.of("dataset_id", asked.get("plain_dataset_id"))));
        on("DELETE " + one, (mine, asked) -> plain("DELETE", examples + "/" + asked.get("plain_example_id")));
        String platform = "/api/v1/platform/datasets";
        String ofDataset = platform + "/{dataset_id}/examples";
        for (String method : List.of("POST", "PATCH")) {
            on(method + " " + ofDataset,
                    (mine, asked) -> form(method, platform + "/" + asked.get("plain_dataset_id") + "/examples",
                            example(mine.get("plain_example_id"))),
                    (mine, asked) -> form(method, platform + "/" + mine.get("plain_dataset_id") + "/examples",
                            example(asked.get("plain_example_id"))));
        }
        on("POST " + platform + "/examples/delete", (mine, asked) -> json("POST", platform + "/examples/delete",
                Map.of("example_ids", List.of(asked.get("plain_example_id")))));
    }

    private static TestForm example(String id) {
        return new TestForm().part(id, "{}").part(id + ".inputs", "{\"q\": 2}");
    }

    private void feedback() {
        onList(FEEDBACK, Map.of("run", "run_id", "session", "session_id", "key", "feedback_key"));
        on("POST " + FEEDBACK,
                (mine, asked) -> json("POST", FEEDBACK, Map.of("key", "k", "session_id", asked.get("session_id"))),
                (mine, asked) -> json("POST", FEEDBACK, Map.of("key", "k", "run_id", asked.get("run_id"))),
                (mine, asked) -> json("POST", FEEDBACK,
                        Map.of("key", "k", "id", asked.get("feedback_id"), "run_id", mine.get("run_id"))));
        String one = FEEDBACK + "/{feedback_id}";
        on("PATCH " + one, (mine, asked) -> json("PATCH", path(one, asked), Map.of("score", 0, "comment", "changed")));
    }

    private void intake() {
        on("GET " + RUNS + "/{run_id}/attachments/{name}", (mine, asked) -> plain("GET",
                RUNS + "/" + asked.get("run_id") + "/attachments/" + asked.get("attachment_name")));
        on("POST " + RUNS,
                (mine, asked) -> json("POST", RUNS, run("session_id", asked.get("session_id"))),
                (mine, asked) -> json("POST", RUNS, run("session_name", asked.get("session_name"))),
                (mine, asked) -> json("POST", RUNS, run("reference_example_id", asked.get("example_id"))),
                (mine, asked) -> json("POST", RUNS, Map.of("id", asked.get("run_id"), "name", "n", "run_type", "chain",
                        "inputs", Map.of())),
                (mine, asked) -> json("POST", RUNS, Map.of("parent_run_id", asked.get("run_id"), "name", "n", "run_type",
                        "chain", "inputs", Map.of())));
        String spans = "/api/v1/otel/v1/traces";
        on("POST " + spans, (mine, asked) -> json("POST", spans, Map.of("resourceSpans", List.of(Map.of("scopeSpans",
                List.of(Map.of("spans", List.of(Map.of("traceId", asked.get("run_id").replace("-", ""), "spanId",
                        "0102030405060708", "name", "n", "startTimeUnixNano", "1795161600000000000", "endTimeUnixNano",
                        "1795161601000000000")))))))));
        String one = RUNS + "/{run_id}";
        on("PATCH " + one, (mine, asked) -> json("PATCH", path(one, asked), Map.of("outputs", Map.of("changed", true))));
        on("POST " + RUNS + "/batch",
                (mine, asked) -> json("POST", RUNS + "/batch", Map.of("post", List.of(run("session_id",
                        asked.get("session_id"))))),
                (mine, asked) -> json("POST", RUNS + "/batch", Map.of("patch", List.of(Map.of("id", asked.get("run_id"),
                        "trace_id", asked.get("run_id"), "dotted_order", "20261120T080000123456Z" + asked.get("run_id"),
                        "outputs", Map.of("changed", true))))));
        String multipart = RUNS + "/multipart";
        on("POST " + multipart,
                (mine, asked) -> form("POST", multipart,
                        TestForm.of(TestRun.root().with("session_id", asked.get("session_id")))),
                (mine, asked) -> form("POST", multipart,
                        new TestForm().part("attachment." + asked.get("run_id") + ".a", "text/plain",
                                new byte[] { 7 })),
                (mine, asked) -> form("POST", multipart,
                        new TestForm().part("feedback." + asked.get("feedback_id"), TestRun.json(
                                Map.of("key", "k", "run_id", asked.get("run_id"), "trace_id", asked.get("run_id"), "score",
                                        0)))));
    }

    private void queries() {
        String query = RUNS + "/query";
        List<Way> ways = new ArrayList<>();
        Map.of("session", "session_id", "id", "run_id", "trace", "run_id", "parent_run", "run_id").forEach(
                (member, name) -> ways.add((mine, asked) -> json("POST", query, Map.of(member, asked.get(name)))));
        ways.add((mine, asked) -> json("POST", query, Map.of("reference_example", asked.get("example_id"))));
        ways.add((mine, asked) -> json("POST", query,
                Map.of("session", List.of(mine.get("experiment_id"), asked.get("session_id")))));
        Map.of("name", "run_name", "session_name", "session_name", "id", "run_id", "trace_id", "run_id", "session_id",
                "session_id", "reference_example_id", "example_id", "feedback_key", "feedback_key")
                .forEach((field, name) -> List.of("filter", "trace_filter", "tree_filter").forEach(
                        member -> ways.add((mine, asked) -> json("POST", query, Map.of("session",
                                List.of(mine.get("session_id"), mine.get("experiment_id")), member,
                                "eq(" + field + ", \"" + asked.get(name) + "\")")))));
        recipes.put("POST " + query, ways);
        String stats = RUNS + "/stats";
        on("POST " + stats,
                (mine, asked) -> json("POST", stats, Map.of("session", asked.get("session_id"))),
                (mine, asked) -> json("POST", stats, Map.of("id", asked.get("run_id"))),
                (mine, asked) -> json("POST", stats, Map.of("trace", asked.get("run_id"), "parent_run", asked.get("run_id"))),
                (mine, asked) -> json("POST", stats, Map.of("reference_example", asked.get("example_id"))));
        second();
    }

    private void second() {
        String since = "2020-01-01T00:00:00Z";
        String runs = "/api/v2/runs";
        on("GET " + runs + "/{run_id}",
                (mine, asked) -> plain("GET", runs + "/" + asked.get("run_id") + "?project_id=" + asked.get("session_id")),
                (mine, asked) -> plain("GET", runs + "/" + mine.get("run_id") + "?project_id=" + mine.get("session_id")));
        on("POST " + runs + "/query",
                (mine, asked) -> json("POST", runs + "/query",
                        Map.of("project_ids", List.of(asked.get("session_id")), "min_start_time", since)),
                (mine, asked) -> json("POST", runs + "/query",
                        Map.of("reference_dataset_id", asked.get("dataset_id"), "min_start_time", since)),
                (mine, asked) -> json("POST", runs + "/query",
                        Map.of("project_ids", List.of(mine.get("session_id")), "trace_id",
                                asked.get("run_id"), "ids", List.of(asked.get("child_run_id")), "min_start_time", since)));
        String rows = DATASETS + "/{dataset_id}/runs";
        on("POST " + rows,
                (mine, asked) -> json("POST", path(rows, asked), Map.of("session_ids", List.of(asked.get("experiment_id")))),
                (mine, asked) -> json("POST", path(rows, mine), Map.of("session_ids", List.of(asked.get("experiment_id")))));
        String experiments = "/api/v2/datasets/{dataset_id}/experiment-runs";
        on("POST " + experiments,
                (mine, asked) -> json("POST", path(experiments, asked),
                        Map.of("experiment_ids", List.of(asked.get("experiment_id")))),
                (mine, asked) -> json("POST", path(experiments, mine), Map.of("experiment_ids",
                        List.of(mine.get("experiment_id")), "example_ids", List.of(asked.get("example_id")))));
        String threads = "/api/v2/threads";
        on("POST " + threads + "/query", (mine, asked) -> json("POST", threads + "/query",
                Map.of("project_id", asked.get("session_id"), "min_start_time", since)));
        on("GET " + threads + "/{thread_id}/traces", (mine, asked) -> plain("GET",
                threads + "/" + asked.get("thread_id") + "/traces?project_id=" + asked.get("session_id")));
    }

    private void sessions() {
        onList(SESSIONS, Map.of("id", "session_id", "name", "session_name", "name_contains", "session_name",
                "reference_dataset", "dataset_id", "include_stats=true&id", "experiment_id"));
        on("POST " + SESSIONS,
                (mine, asked) -> json("POST", SESSIONS, Map.of("name", asked.get("session_name"))),
                (mine, asked) -> json("POST", SESSIONS + "?upsert=true", Map.of("name", asked.get("session_name"))),
                (mine, asked) -> json("POST", SESSIONS, Map.of("name", "of " + asked.get("session_id"), "id",
                        asked.get("session_id"))),
                (mine, asked) -> json("POST", SESSIONS, Map.of("name", "of " + asked.get("dataset_id"),
                        "reference_dataset_id", asked.get("dataset_id"))));
        String one = SESSIONS + "/{session_id}";
        on("GET " + one, (mine, asked) -> plain("GET", path(one, asked) + "?include_stats=true"));
        on("PATCH " + one, (mine, asked) -> json("PATCH", path(one, asked), Map.of("description", "changed")));
    }

    private static ApiCall upload(String path, TestUpload upload) {
        return new ApiCall("POST", path, "application/json", upload.json().getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }

    private static Map<String, Object> run(String member, String value) {
        return new LinkedHashMap<>(TestRun.root().with(member, value).members());
    }
}
