package dev.waybill.local.soak.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.local.client.Json;
import dev.waybill.local.client.RunEvent;
import dev.waybill.local.soak.replicas.RetryingClient;
import dev.waybill.local.soak.replicas.ServiceReplica;
import dev.waybill.local.soak.replicas.ReplicaPool;

/** Streamed runs, each read to its end: one that ends before is begun anew at the other replica. */
final class StreamWorkload implements Workload {

    private static final int PIECES = 20;
    private static final String SAID = IntStream.range(0, PIECES).mapToObj(i -> "token-" + i + " ")
            .collect(Collectors.joining());

    private final RetryingClient caller;
    private final ReplicaPool application;
    private final Queue<String> wrong = new ConcurrentLinkedQueue<>();

    StreamWorkload(RetryingClient caller, ReplicaPool application) {
        this.caller = caller;
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
        List<RunEvent> events = caller.ask(application, StreamWorkload::stream);
        String said = events.stream().filter(event -> event.name().equals("messages"))
                .map(event -> event.data().at("/0/content").asText()).collect(Collectors.joining());
        if (!events.getFirst().name().equals("metadata") || !said.equals(SAID)) {
            wrong.add("a stream that ended well was " + events);
        }
    }

    private static List<RunEvent> stream(ServiceReplica member) {
        ObjectNode request = Json.object().put("assistant_id", "agent").put("stream_mode", "messages-tuple");
        request.putObject("input").putArray("messages").addObject().put("role", "user")
                .put("content", "tokens:" + PIECES + " delay:10");
        List<RunEvent> events = new ArrayList<>();
        member.client().stream(member.at("/runs/stream"), request, events::add);
        if (events.isEmpty() || !events.getLast().name().equals("end")) {
            throw new UncheckedIOException(new IOException("a stream ended early: " + events));
        }
        return events;
    }

    @Override
    public List<String> wrong() {
        return List.copyOf(wrong);
    }
}
