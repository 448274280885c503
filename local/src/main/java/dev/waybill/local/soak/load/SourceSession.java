package dev.waybill.local.soak.load;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

import dev.waybill.local.client.RunsMultipart;
import dev.waybill.local.soak.replicas.RetryingClient;
import dev.waybill.local.soak.replicas.ReplicaPool;

/**
 * Runs that are there before anything is exported, evenly over a time.
 *
 * @param sessionId where they are
 */
record SourceSession(String sessionId, Instant start, Instant end, List<SyntheticRun> runs) {

    private static final int BATCH = 100;

    /** Sends them; returns when they were accepted. */
    static SourceSession load(RetryingClient caller, ReplicaPool intake, String session, Instant start, Duration step, int count) {
        List<SyntheticRun> runs = IntStream.range(0, count)
                .mapToObj(i -> new SyntheticRun(session, session + "-" + i, UUID.randomUUID(), start.plus(step.multipliedBy(i))))
                .toList();
        for (int from = 0; from < count; from += BATCH) {
            RunsMultipart batch = new RunsMultipart();
            runs.subList(from, Math.min(count, from + BATCH)).forEach(run -> batch.post(run.whole()));
            caller.ask(intake, member -> {
                member.client().postRuns(member.at("/"), batch);
                return true;
            });
        }
        String id = caller.get(intake, "/api/v1/sessions?name=" + session).required(0).required("id").textValue();
        return new SourceSession(id, start, start.plus(step.multipliedBy(count)), runs);
    }

    /** @return what an export of the range must hold */
    List<String> between(Instant from, Instant until) {
        return runs.stream().filter(run -> !run.start().isBefore(from) && run.start().isBefore(until)).map(SyntheticRun::entry)
                .toList();
    }
}
