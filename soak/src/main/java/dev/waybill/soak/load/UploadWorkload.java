package dev.waybill.soak.load;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.local.client.Json;
import dev.waybill.soak.replicas.ReplicaPool;
import dev.waybill.soak.replicas.RetryingClient;

/** Uploads experiments of one dataset, each with the same examples. */
final class UploadWorkload implements Workload {

    private static final String DATASET = "replicas";
    private static final int ROWS = 25;
    // Per experiment: distinct examples and rows with its outputs, number of scores, and number of the dataset's examples.
    private static final String STORED = """
            SELECT concat_ws('|', s.name,
                (SELECT count(DISTINCT r.reference_example_id) || ' of ' || count(*) FROM trace.runs r
                    WHERE r.session_id = s.id AND r.outputs::json ->> 'experiment' = s.name),
                (SELECT count(*) FROM trace.feedback f WHERE f.session_id = s.id),
                (SELECT count(*) FROM trace.examples e WHERE e.dataset_id = s.reference_dataset_id))
            FROM trace.sessions s JOIN trace.datasets d ON d.id = s.reference_dataset_id WHERE d.name = '%s'"""
            .formatted(DATASET);

    private final RetryingClient client;
    private final ReplicaPool experiments;
    private final String superuserUrl;
    private final Queue<String> uploads = new ConcurrentLinkedQueue<>();
    private int steps;

    UploadWorkload(RetryingClient client, ReplicaPool experiments, String superuserUrl) {
        this.client = client;
        this.experiments = experiments;
        this.superuserUrl = superuserUrl;
    }

    @Override
    public String name() {
        return "uploads";
    }

    @Override
    public int pauseMillis() {
        return 300;
    }

    @Override
    public void step() {
        String name = "experiment-" + steps++;
        ObjectNode body = Json.object().put("experiment_name", name).put("dataset_name", DATASET)
                .put("experiment_start_time", "2026-03-02T10:00:00Z").put("experiment_end_time", "2026-03-02T11:00:00Z");
        ArrayNode results = body.putArray("results");
        for (int i = 0; i < ROWS; i++) {
            ObjectNode row = results.addObject()
                    .put("row_id", UUID.nameUUIDFromBytes(("row " + i).getBytes(StandardCharsets.UTF_8)).toString())
                    .put("start_time", "2026-03-02T10:01:00Z").put("end_time", "2026-03-02T10:02:00Z");
            row.putObject("inputs").put("question", "number " + i);
            row.putObject("actual_outputs").put("experiment", name);
            row.putArray("evaluation_scores").addObject().put("key", "correct").put("score", i % 2);
        }
        body.putArray("summary_experiment_scores").addObject().put("key", "all").put("score", 0.5);
        client.create(experiments, "/api/v1/datasets/upload-experiment", body, response -> response.at("/experiment/id"));
        uploads.add(name + "|" + ROWS + " of " + ROWS + "|" + (ROWS + 1) + "|" + ROWS);
    }

    @Override
    public List<String> differences() {
        return Reconciliation.differences("upload", uploads, Reconciliation.query(superuserUrl, STORED));
    }
}
