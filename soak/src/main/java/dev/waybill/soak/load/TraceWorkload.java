package dev.waybill.soak.load;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;

import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.client.RunsMultipart;
import dev.waybill.local.client.Json;
import dev.waybill.soak.replicas.ReplicaPool;
import dev.waybill.soak.replicas.RetryingClient;

/** Sends feedback and runs like tracing clients: as multipart, as batches, and in two requests in either order. */
final class TraceWorkload implements Workload {

    static final String SESSION = "replicas-traces";

    private static final int RUNS = 10;
    private static final String FEEDBACK_KEY = "replicas";
    private static final String STORED_RUNS = """
            SELECT concat_ws('|', name, inputs::json ->> 'question', outputs::json ->> 'answer')
            FROM trace.runs WHERE session_id = (SELECT id FROM trace.sessions WHERE name = '%s')""";
    private static final String STORED_FEEDBACK = """
            SELECT concat_ws('|', id, run_id, score) FROM trace.feedback WHERE key = '%s' AND session_id IS NOT NULL""";

    private final RetryingClient client;
    private final ReplicaPool intake;
    private final String superuserUrl;
    private final Queue<String> expectedRuns = new ConcurrentLinkedQueue<>();
    private final Queue<String> expectedFeedback = new ConcurrentLinkedQueue<>();
    private int steps;

    TraceWorkload(RetryingClient client, ReplicaPool intake, String superuserUrl) {
        this.client = client;
        this.intake = intake;
        this.superuserUrl = superuserUrl;
    }

    @Override
    public String name() {
        return "traces";
    }

    @Override
    public int pauseMillis() {
        return 100;
    }

    @Override
    public void step() {
        int step = steps++;
        List<SyntheticRun> runs = IntStream.range(0, RUNS).mapToObj(i -> SyntheticRun.of(SESSION, "run-" + step + "-" + i))
                .toList();
        switch (step % 3) {
            case 0 -> multipart(runs);
            case 1 -> batch(runs);
            default -> twoParts(runs);
        }
        runs.forEach(run -> expectedRuns.add(run.expectedRow()));
        createFeedback(runs.getFirst());
    }

    private void multipart(List<SyntheticRun> runs) {
        client.call(intake, replica -> {
            RunsMultipart body = new RunsMultipart();
            runs.forEach(run -> body.post(run.fullBody()));
            return replica.client().traces(replica.at("/")).postRunsMultipart(body);
        });
    }

    private void batch(List<SyntheticRun> runs) {
        ObjectNode body = Json.object();
        runs.forEach(run -> body.withArray("post").add(run.fullBody()));
        client.post(intake, "/runs/batch", body);
    }

    private void twoParts(List<SyntheticRun> runs) {
        ObjectNode ends = Json.object();
        runs.forEach(run -> ends.withArray("patch").add(run.updateBody().put("id", run.id().toString())));
        ObjectNode beginnings = Json.object();
        runs.forEach(run -> beginnings.withArray("post").add(run.createBody()));
        boolean endsFirst = steps % 2 == 0;
        client.post(intake, "/runs/batch", endsFirst ? ends : beginnings);
        client.post(intake, "/runs/batch", endsFirst ? beginnings : ends);
    }

    private void createFeedback(SyntheticRun run) {
        UUID id = UUID.randomUUID();
        client.create(intake, "/api/v1/feedback", Json.object().put("id", id.toString()).put("run_id", run.id().toString())
                .put("key", FEEDBACK_KEY).put("score", 1), response -> response.required("id"));
        expectedFeedback.add(id + "|" + run.id() + "|1");
    }

    /** Returns the expected rows of all accepted runs. */
    List<String> accepted() {
        return List.copyOf(expectedRuns);
    }

    @Override
    public List<String> differences() {
        List<String> differences = new ArrayList<>(
                Reconciliation.differences("run", expectedRuns,
                        Reconciliation.query(superuserUrl, STORED_RUNS.formatted(SESSION))));
        differences.addAll(Reconciliation.differences("feedback", expectedFeedback,
                Reconciliation.query(superuserUrl, STORED_FEEDBACK.formatted(FEEDBACK_KEY))));
        return differences;
    }
}
