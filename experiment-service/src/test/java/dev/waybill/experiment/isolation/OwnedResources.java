package dev.waybill.experiment.isolation;

import static dev.waybill.experiment.ApiClient.as;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import dev.waybill.experiment.RawHttpResponse;
import dev.waybill.experiment.TestForm;
import dev.waybill.experiment.TestRun;
import dev.waybill.experiment.TestUpload;
import io.restassured.response.Response;

/**
 * Ids and names of one resource of every kind in a workspace.
 *
 * @param texts ids and names by path parameter ({@code run_id}) or other reference ({@code session_name})
 */
record OwnedResources(Account account, Map<String, String> texts) {

    private static final String EXPERIMENT = "experiment_id";

    /** Creates a workspace with one resource of every kind. */
    static OwnedResources create() {
        Account account = Accounts.account().create();
        Map<String, String> texts = names();
        TestRun root = TestRun.root().with("session_name", texts.get("session_name")).with("name", texts.get("run_name"))
                .with("extra", Map.of("metadata", Map.of("thread_id", texts.get("thread_id"))));
        TestRun child = TestRun.below(root).with("session_name", texts.get("session_name"));
        texts.put("run_id", root.id().toString());
        texts.put("child_run_id", child.id().toString());
        assertThat(RawHttpResponse.postForm(account, null, TestForm.of(root, child)
                .part("attachment." + root.id() + "." + texts.get("attachment_name"), "text/plain", new byte[] { 1 })
                .bytes()).status()).isEqualTo(202);
        texts.put("session_id", as(account).get("/sessions?name=" + texts.get("session_name")).path("[0].id"));
        TestUpload upload = TestUpload.ofRows(1).with("experiment_name", texts.get("experiment_name"))
                .with("dataset_name", texts.get("dataset_name"));
        Response uploaded = as(account).contentType("application/json").body(upload.json())
                .post("/api/v1/datasets/upload-experiment");
        texts.put("dataset_id", uploaded.path("dataset.id"));
        texts.put(EXPERIMENT, uploaded.path("experiment.id"));
        upload.with("experiment_name", texts.get("other_experiment_name"));
        texts.put("other_experiment_id", as(account).contentType("application/json").body(upload.json())
                .post("/api/v1/datasets/upload-experiment").path("experiment.id"));
        texts.put("example_id", (String) upload.rowAt(0).get("row_id"));
        texts.put("plain_dataset_id", create(account, "datasets", Map.of("name", texts.get("plain_dataset_name"))));
        texts.put("plain_example_id", create(account, "examples", Map.of("dataset_id", texts.get("plain_dataset_id"), "inputs",
                Map.of("q", 1))));
        texts.put("feedback_id", create(account, "feedback",
                Map.of("run_id", root.id().toString(), "key", texts.get("feedback_key"), "score", 0.5)));
        return new OwnedResources(account, texts);
    }

    private static String create(Account account, String what, Map<String, Object> body) {
        return as(account).contentType("application/json").body(TestRun.json(body)).post("/api/v1/" + what).path("id");
    }

    /** Returns ids and names of resources that do not exist. */
    static OwnedResources nonexistent(Account account) {
        Map<String, String> texts = names();
        for (String id : List.of("run_id", "child_run_id", "session_id", "dataset_id", EXPERIMENT, "example_id",
                "feedback_id", "plain_dataset_id", "plain_example_id", "other_experiment_id")) {
            texts.put(id, UUID.randomUUID().toString());
        }
        return new OwnedResources(account, texts);
    }

    // All names have the same length, and none contains another.
    private static Map<String, String> names() {
        Map<String, String> texts = new LinkedHashMap<>();
        for (String name : List.of("session_name", "dataset_name", "plain_dataset_name", "experiment_name",
                "other_experiment_name", "run_name",
                "feedback_key", "thread_id",
                "attachment_name")) {
            texts.put(name, name.charAt(0) + UUID.randomUUID().toString().replace("-", ""));
        }
        return texts;
    }

    String get(String name) {
        String text = texts.get(name);
        assertThat(text).as("missing resource " + name + ": add it to OwnedResources").isNotNull();
        return text;
    }

    UUID id(String name) {
        return UUID.fromString(get(name));
    }
}
