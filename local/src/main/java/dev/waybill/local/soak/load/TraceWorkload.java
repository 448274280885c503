package dev.waybill.local.soak.load;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;

import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.local.client.Json;
import dev.waybill.local.client.RunsMultipart;
import dev.waybill.local.soak.replicas.RetryingClient;
import dev.waybill.local.soak.replicas.ReplicaPool;

/** Runs as tracing clients send them: in multipart, in batches, in two parts of which either may come first; and feedback. */
final class TraceWorkload implements Workload {

    static final String SESSION = "replicas-traces";

    private static final int RUNS = 10;
    private static final String FEEDBACK_KEY = "replicas";
    private static final String RUNS_THERE = """
            SELECT concat_ws('|', name, inputs::json ->> 'question', outputs::json ->> 'answer')
            FROM trace.runs WHERE session_id = (SELECT id FROM trace.sessions WHERE name = '%s')""";
    private static final String FEEDBACK_THERE = """
            SELECT concat_ws('|', id, run_id, score) FROM trace.feedback WHERE key = '%s' AND session_id IS NOT NULL""";

    private final RetryingClient caller;
    private final ReplicaPool intake;
    private final String superuserUrl;
    private final Queue<String> runs = new ConcurrentLinkedQueue<>();
    private final Queue<String> feedback = new ConcurrentLinkedQueue<>();
    private int steps;

    TraceWorkload(RetryingClient caller, ReplicaPool intake, String superuserUrl) {
        this.caller = caller;
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
        List<SyntheticRun> made = IntStream.range(0, RUNS).mapToObj(i -> SyntheticRun.of(SESSION, "run-" + step + "-" + i)).toList();
        switch (step % 3) {
            case 0 -> multipart(made);
            case 1 -> batch(made);
            default -> inParts(made);
        }
        made.forEach(run -> runs.add(run.entry()));
        judge(made.getFirst());
    }

    private void multipart(List<SyntheticRun> made) {
        caller.ask(intake, member -> {
            RunsMultipart body = new RunsMultipart();
            made.forEach(run -> body.post(run.whole()));
            member.client().postRuns(member.at("/"), body);
            return true;
        });
    }

    private void batch(List<SyntheticRun> made) {
        ObjectNode body = Json.object();
        made.forEach(run -> body.withArray("post").add(run.whole()));
        caller.post(intake, "/runs/batch", body);
    }

    private void inParts(List<SyntheticRun> made) {
        ObjectNode ends = Json.object();
        made.forEach(run -> ends.withArray("patch").add(run.ended().put("id", run.id().toString())));
        ObjectNode beginnings = Json.object();
        made.forEach(run -> beginnings.withArray("post").add(run.begun()));
        boolean endsFirst = steps % 2 == 0;
        caller.post(intake, "/runs/batch", endsFirst ? ends : beginnings);
        caller.post(intake, "/runs/batch", endsFirst ? beginnings : ends);
    }

    private void judge(SyntheticRun run) {
        UUID id = UUID.randomUUID();
        caller.create(intake, "/api/v1/feedback", Json.object().put("id", id.toString()).put("run_id", run.id().toString())
                .put("key", FEEDBACK_KEY).put("score", 1), answer -> answer.required("id"));
        feedback.add(id + "|" + run.id() + "|1");
    }

    /** @return every run that was accepted */
    List<String> accepted() {
        return List.copyOf(runs);
    }

    @Override
    public List<String> wrong() {
        List<String> wrong = new ArrayList<>(
                Reconciliation.differences("run", runs, Reconciliation.query(superuserUrl, RUNS_THERE.formatted(SESSION))));
        wrong.addAll(Reconciliation.differences("feedback", feedback,
                Reconciliation.query(superuserUrl, FEEDBACK_THERE.formatted(FEEDBACK_KEY))));
        return wrong;
    }
}
