package dev.waybill.soak.load;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

import dev.waybill.client.RunsMultipart;
import dev.waybill.soak.replicas.ReplicaPool;
import dev.waybill.soak.replicas.RetryingClient;

/**
 * A session of evenly distributed runs, the source of exports.
 *
 * @param start the start of the first run
 * @param end the end of the range
 */
record SourceSession(String sessionId, Instant start, Instant end, List<SyntheticRun> runs) {

    private static final int BATCH = 100;

    /** Sends the runs and returns when they are accepted. */
    static SourceSession load(RetryingClient client, ReplicaPool intake, String session, Instant start, Duration step,
            int count) {
        List<SyntheticRun> runs = IntStream.range(0, count)
                .mapToObj(
                        i -> new SyntheticRun(session, session + "-" + i, UUID.randomUUID(), start.plus(step.multipliedBy(i))))
                .toList();
        for (int from = 0; from < count; from += BATCH) {
            RunsMultipart batch = new RunsMultipart();
            runs.subList(from, Math.min(count, from + BATCH)).forEach(run -> batch.post(run.fullBody()));
            client.call(intake, replica -> {
                return replica.client().traces(replica.at("/")).postRunsMultipart(batch);
            });
        }
        String id = client.get(intake, "/api/v1/sessions?name=" + session).required(0).required("id").textValue();
        return new SourceSession(id, start, start.plus(step.multipliedBy(count)), runs);
    }

    /** Returns the expected rows of an export of the range. */
    List<String> expectedRows(Instant from, Instant until) {
        return runs.stream().filter(run -> !run.start().isBefore(from) && run.start().isBefore(until))
                .map(SyntheticRun::expectedRow)
                .toList();
    }
}
