package dev.waybill.soak.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import dev.waybill.client.RunEvent;
import dev.waybill.client.RunRequest;
import dev.waybill.client.RunStream;
import dev.waybill.local.tour.DeployedApplication;
import dev.waybill.soak.replicas.ReplicaPool;
import dev.waybill.soak.replicas.RetryingClient;
import dev.waybill.soak.replicas.ServiceReplica;

/** Streams runs and reads each to its end; repeats an interrupted run at the next replica. */
final class StreamWorkload implements Workload {

    private static final int TOKENS = 20;
    private static final String EXPECTED = IntStream.range(0, TOKENS).mapToObj(i -> "token-" + i + " ")
            .collect(Collectors.joining());

    private final RetryingClient client;
    private final ReplicaPool application;
    private final Queue<String> differences = new ConcurrentLinkedQueue<>();

    StreamWorkload(RetryingClient client, ReplicaPool application) {
        this.client = client;
        this.application = application;
    }

    @Override
    public String name() {
        return "streams";
    }

    @Override
    public int pauseMillis() {
        return 100;
    }

    @Override
    public void step() {
        List<RunEvent> events = client.call(application, StreamWorkload::stream);
        String content = events.stream().filter(event -> event.name().equals("messages"))
                .map(event -> event.data().at("/0/content").asText()).collect(Collectors.joining());
        if (!events.getFirst().name().equals("metadata") || !content.equals(EXPECTED)) {
            differences.add("a completed stream has unexpected events: " + events);
        }
    }

    private static List<RunEvent> stream(ServiceReplica replica) {
        RunRequest request = DeployedApplication.request("tokens:" + TOKENS + " delay:10").withStreamMode("messages-tuple");
        List<RunEvent> events = new ArrayList<>();
        try (RunStream stream = replica.client().deployment(replica.at("/")).streamRun(request)) {
            stream.forEach(events::add);
        }
        if (events.isEmpty() || !events.getLast().name().equals("end")) {
            throw new UncheckedIOException(new IOException("a stream ended early: " + events));
        }
        return events;
    }

    @Override
    public List<String> differences() {
        return List.copyOf(differences);
    }
}
