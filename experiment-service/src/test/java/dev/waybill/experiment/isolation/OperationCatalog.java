package dev.waybill.experiment.isolation;

import static dev.waybill.experiment.isolation.ApiCall.form;
import static dev.waybill.experiment.isolation.ApiCall.json;
import static dev.waybill.experiment.isolation.ApiCall.withoutBody;

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
 * Requests that refer to resources in every way that an operation supports. Operations with ids only in their path and
 * without a body need no entry.
 */
final class OperationCatalog {

    private static final Pattern PARAMETER = Pattern.compile("\\{([a-z_]+)}");
    private static final String DATASETS = "/api/v1/datasets";
    private static final String FEEDBACK = "/api/v1/feedback";
    private static final String RUNS = "/api/v1/runs";
    private static final String SESSIONS = "/api/v1/sessions";

    private final Map<String, List<RequestTemplate>> templatesByOperation = new HashMap<>();

    OperationCatalog() {
        comparisons();
        datasets();
        examples();
        feedback();
        intake();
        queries();
        sessions();
    }

    /** Builds a request that refers to {@code target}'s resources and otherwise to {@code own} ones. */
    @FunctionalInterface
    interface RequestTemplate {

        ApiCall build(OwnedResources own, OwnedResources target);
    }

    /** Returns the requests for an operation; empty for an operation with a body and without an entry. */
    List<RequestTemplate> of(Operation operation) {
        List<RequestTemplate> templates = templatesByOperation.get(operation.toString());
        if (templates != null || !operation.bodies().isEmpty()) {
            return templates == null ? List.of() : templates;
        }
        return List.of((own, target) -> withoutBody(operation.method(), path(operation.path(), target)));
    }

    /** Returns the operations with an entry. */
    List<String> operations() {
        return List.copyOf(templatesByOperation.keySet());
    }

    /** Returns the path with the ids of {@code target}. */
    static String path(String template, OwnedResources target) {
        return PARAMETER.matcher(template).replaceAll(found -> Matcher.quoteReplacement(target.get(found.group(1))));
    }

    private void add(String operation, RequestTemplate... templates) {
        templatesByOperation.put(operation, List.of(templates));
    }

    /** Adds a list with one request per parameter, which filters by a value of {@code target}. */
    private void addList(String path, Map<String, String> parameters) {
        List<RequestTemplate> templates = new ArrayList<>(List.of((own, target) -> withoutBody("GET", path)));
        parameters.forEach((parameter, name) -> templates.add((own, target) -> withoutBody("GET",
                path + "?" + parameter + "=" + target.get(name))));
        templatesByOperation.put("GET " + path, templates);
    }

    private void comparisons() {
        String other = "other_experiment_id";
        for (String what : List.of("comparison", "gate")) {
            String path = DATASETS + "/{dataset_id}/" + what;
            add("POST " + path,
                    (own, target) -> json("POST", path(path, target), compared(target.get("experiment_id"), target.get(other))),
                    (own, target) -> json("POST", path(path, own), compared(target.get("experiment_id"), own.get(other))),
                    (own, target) -> json("POST", path(path, own), compared(own.get("experiment_id"), target.get(other))));
        }
    }

    private static Map<String, Object> compared(String experiment, String baseline) {
        return Map.of("experiment_ids", List.of(experiment), "baseline_experiment_id", baseline);
    }

    private void datasets() {
        addList(DATASETS, Map.of("id", "dataset_id", "name", "dataset_name", "name_contains", "dataset_name"));
        add("POST " + DATASETS, (own, target) -> json("POST", DATASETS, Map.of("name", target.get("dataset_name"))));
        String one = DATASETS + "/{dataset_id}";
        add("PATCH " + one,
                (own, target) -> json("PATCH", path(one, target), Map.of("description", "changed")),
                (own, target) -> json("PATCH", path(one, own), Map.of("name", target.get("dataset_name"))),
                (own, target) -> json("PATCH", path(one, own), Map.of("baseline_experiment_id", target.get("experiment_id"))));
        String upload = DATASETS + "/upload-experiment";
        add("POST " + upload,
                (own, target) -> upload(upload, TestUpload.ofRows(1).without("dataset_name").with("dataset_id",
                        target.get("dataset_id"))),
                (own, target) -> upload(upload, TestUpload.ofRows(1).with("dataset_name", target.get("dataset_name"))),
                (own, target) -> {
                    TestUpload body = TestUpload.ofRows(1);
                    body.rowAt(0).put("row_id", target.get("example_id"));
                    return upload(upload, body);
                });
    }

    private void examples() {
        String examples = "/api/v1/examples";
        Map<String, Object> inputs = Map.of("q", 1);
        add("GET " + examples,
                (own, target) -> withoutBody("GET", examples + "?dataset=" + target.get("dataset_id")),
                (own, target) -> withoutBody("GET", examples + "?id=" + target.get("example_id")));
        add("DELETE " + examples,
                (own, target) -> withoutBody("DELETE", examples + "?example_ids=" + target.get("plain_example_id")));
        add("POST " + examples,
                (own, target) -> json("POST", examples, Map.of("dataset_id", target.get("plain_dataset_id"), "inputs", inputs)),
                (own, target) -> json("POST", examples, Map.of("dataset_id", own.get("plain_dataset_id"), "inputs", inputs,
                        "source_run_id", target.get("run_id"))),
                (own, target) -> json("POST", examples, Map.of("dataset_id", own.get("plain_dataset_id"), "inputs", inputs,
                        "id", target.get("plain_example_id"))));
        add("POST " + examples + "/bulk", (own, target) -> json("POST", examples + "/bulk",
                List.of(Map.of("dataset_id", target.get("plain_dataset_id"), "inputs", inputs))));
        String one = examples + "/{example_id}";
        add("PATCH " + one,
                (own, target) -> json("PATCH", examples + "/" + target.get("plain_example_id"), Map.of("inputs", inputs)),
                (own, target) -> json("PATCH", examples + "/" + own.get("plain_example_id"),
                        Map.of("dataset_id", target.get("plain_dataset_id"))));
        add("DELETE " + one, (own, target) -> withoutBody("DELETE", examples + "/" + target.get("plain_example_id")));
        String platform = "/api/v1/platform/datasets";
        String ofDataset = platform + "/{dataset_id}/examples";
        for (String method : List.of("POST", "PATCH")) {
            add(method + " " + ofDataset,
                    (own, target) -> form(method, platform + "/" + target.get("plain_dataset_id") + "/examples",
                            example(own.get("plain_example_id"))),
                    (own, target) -> form(method, platform + "/" + own.get("plain_dataset_id") + "/examples",
                            example(target.get("plain_example_id"))));
        }
        add("POST " + platform + "/examples/delete", (own, target) -> json("POST", platform + "/examples/delete",
                Map.of("example_ids", List.of(target.get("plain_example_id")))));
    }

    private static TestForm example(String id) {
        return new TestForm().part(id, "{}").part(id + ".inputs", "{\"q\": 2}");
    }

    private void feedback() {
        addList(FEEDBACK, Map.of("run", "run_id", "session", "session_id", "key", "feedback_key"));
        add("POST " + FEEDBACK,
                (own, target) -> json("POST", FEEDBACK, Map.of("key", "k", "session_id", target.get("session_id"))),
                (own, target) -> json("POST", FEEDBACK, Map.of("key", "k", "run_id", target.get("run_id"))),
                (own, target) -> json("POST", FEEDBACK,
                        Map.of("key", "k", "id", target.get("feedback_id"), "run_id", own.get("run_id"))));
        String one = FEEDBACK + "/{feedback_id}";
        add("PATCH " + one, (own, target) -> json("PATCH", path(one, target), Map.of("score", 0, "comment", "changed")));
    }

    private void intake() {
        add("GET " + RUNS + "/{run_id}/attachments/{name}", (own, target) -> withoutBody("GET",
                RUNS + "/" + target.get("run_id") + "/attachments/" + target.get("attachment_name")));
        add("POST " + RUNS,
                (own, target) -> json("POST", RUNS, run("session_id", target.get("session_id"))),
                (own, target) -> json("POST", RUNS, run("session_name", target.get("session_name"))),
                (own, target) -> json("POST", RUNS, run("reference_example_id", target.get("example_id"))),
                (own, target) -> json("POST", RUNS, Map.of("id", target.get("run_id"), "name", "n", "run_type", "chain",
                        "inputs", Map.of())),
                (own, target) -> json("POST", RUNS, Map.of("parent_run_id", target.get("run_id"), "name", "n", "run_type",
                        "chain", "inputs", Map.of())));
        String spans = "/api/v1/otel/v1/traces";
        add("POST " + spans, (own, target) -> json("POST", spans, Map.of("resourceSpans", List.of(Map.of("scopeSpans",
                List.of(Map.of("spans", List.of(Map.of("traceId", target.get("run_id").replace("-", ""), "spanId",
                        "0102030405060708", "name", "n", "startTimeUnixNano", "1795161600000000000", "endTimeUnixNano",
                        "1795161601000000000")))))))));
        String one = RUNS + "/{run_id}";
        add("PATCH " + one, (own, target) -> json("PATCH", path(one, target), Map.of("outputs", Map.of("changed", true))));
        add("POST " + RUNS + "/batch",
                (own, target) -> json("POST", RUNS + "/batch", Map.of("post", List.of(run("session_id",
                        target.get("session_id"))))),
                (own, target) -> json("POST", RUNS + "/batch", Map.of("patch", List.of(Map.of("id", target.get("run_id"),
                        "trace_id", target.get("run_id"), "dotted_order", "20261120T080000123456Z" + target.get("run_id"),
                        "outputs", Map.of("changed", true))))));
        String multipart = RUNS + "/multipart";
        add("POST " + multipart,
                (own, target) -> form("POST", multipart,
                        TestForm.of(TestRun.root().with("session_id", target.get("session_id")))),
                (own, target) -> form("POST", multipart,
                        new TestForm().part("attachment." + target.get("run_id") + ".a", "text/plain",
                                new byte[] { 7 })),
                (own, target) -> form("POST", multipart,
                        new TestForm().part("feedback." + target.get("feedback_id"), TestRun.json(
                                Map.of("key", "k", "run_id", target.get("run_id"), "trace_id", target.get("run_id"), "score",
                                        0)))));
    }

    private void queries() {
        String query = RUNS + "/query";
        List<RequestTemplate> templates = new ArrayList<>();
        Map.of("session", "session_id", "id", "run_id", "trace", "run_id", "parent_run", "run_id").forEach(
                (member, name) -> templates.add((own, target) -> json("POST", query, Map.of(member, target.get(name)))));
        templates.add((own, target) -> json("POST", query, Map.of("reference_example", target.get("example_id"))));
        templates.add((own, target) -> json("POST", query,
                Map.of("session", List.of(own.get("experiment_id"), target.get("session_id")))));
        Map.of("name", "run_name", "session_name", "session_name", "id", "run_id", "trace_id", "run_id", "session_id",
                "session_id", "reference_example_id", "example_id", "feedback_key", "feedback_key")
                .forEach((field, name) -> List.of("filter", "trace_filter", "tree_filter").forEach(
                        member -> templates.add((own, target) -> json("POST", query, Map.of("session",
                                List.of(own.get("session_id"), own.get("experiment_id")), member,
                                "eq(" + field + ", \"" + target.get(name) + "\")")))));
        templatesByOperation.put("POST " + query, templates);
        String stats = RUNS + "/stats";
        add("POST " + stats,
                (own, target) -> json("POST", stats, Map.of("session", target.get("session_id"))),
                (own, target) -> json("POST", stats, Map.of("id", target.get("run_id"))),
                (own, target) -> json("POST", stats, Map.of("trace", target.get("run_id"), "parent_run", target.get("run_id"))),
                (own, target) -> json("POST", stats, Map.of("reference_example", target.get("example_id"))));
        String traces = "/api/v1/traces/";
        add("GET " + traces + "{trace_id}", (own, target) -> withoutBody("GET", traces + target.get("run_id")));
        versionTwo();
    }

    private void versionTwo() {
        String since = "2020-01-01T00:00:00Z";
        String runs = "/api/v2/runs";
        add("GET " + runs + "/{run_id}",
                (own, target) -> withoutBody("GET",
                        runs + "/" + target.get("run_id") + "?project_id=" + target.get("session_id")),
                (own, target) -> withoutBody("GET", runs + "/" + own.get("run_id") + "?project_id=" + own.get("session_id")));
        add("POST " + runs + "/query",
                (own, target) -> json("POST", runs + "/query",
                        Map.of("project_ids", List.of(target.get("session_id")), "min_start_time", since)),
                (own, target) -> json("POST", runs + "/query",
                        Map.of("reference_dataset_id", target.get("dataset_id"), "min_start_time", since)),
                (own, target) -> json("POST", runs + "/query",
                        Map.of("project_ids", List.of(own.get("session_id")), "trace_id",
                                target.get("run_id"), "ids", List.of(target.get("child_run_id")), "min_start_time", since)));
        String rows = DATASETS + "/{dataset_id}/runs";
        add("POST " + rows,
                (own, target) -> json("POST", path(rows, target), Map.of("session_ids", List.of(target.get("experiment_id")))),
                (own, target) -> json("POST", path(rows, own), Map.of("session_ids", List.of(target.get("experiment_id")))));
        String experiments = "/api/v2/datasets/{dataset_id}/experiment-runs";
        add("POST " + experiments,
                (own, target) -> json("POST", path(experiments, target),
                        Map.of("experiment_ids", List.of(target.get("experiment_id")))),
                (own, target) -> json("POST", path(experiments, own), Map.of("experiment_ids",
                        List.of(own.get("experiment_id")), "example_ids", List.of(target.get("example_id")))));
        String threads = "/api/v2/threads";
        add("POST " + threads + "/query", (own, target) -> json("POST", threads + "/query",
                Map.of("project_id", target.get("session_id"), "min_start_time", since)));
        add("GET " + threads + "/{thread_id}/traces", (own, target) -> withoutBody("GET",
                threads + "/" + target.get("thread_id") + "/traces?project_id=" + target.get("session_id")));
    }

    private void sessions() {
        addList(SESSIONS, Map.of("id", "session_id", "name", "session_name", "name_contains", "session_name",
                "reference_dataset", "dataset_id", "include_stats=true&id", "experiment_id"));
        add("POST " + SESSIONS,
                (own, target) -> json("POST", SESSIONS, Map.of("name", target.get("session_name"))),
                (own, target) -> json("POST", SESSIONS + "?upsert=true", Map.of("name", target.get("session_name"))),
                (own, target) -> json("POST", SESSIONS, Map.of("name", "of " + target.get("session_id"), "id",
                        target.get("session_id"))),
                (own, target) -> json("POST", SESSIONS, Map.of("name", "of " + target.get("dataset_id"),
                        "reference_dataset_id", target.get("dataset_id"))));
        String one = SESSIONS + "/{session_id}";
        add("GET " + one, (own, target) -> withoutBody("GET", path(one, target) + "?include_stats=true"));
        add("PATCH " + one, (own, target) -> json("PATCH", path(one, target), Map.of("description", "changed")));
    }

    private static ApiCall upload(String path, TestUpload upload) {
        return new ApiCall("POST", path, "application/json", upload.json().getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }

    private static Map<String, Object> run(String member, String value) {
        return new LinkedHashMap<>(TestRun.root().with(member, value).members());
    }
}
