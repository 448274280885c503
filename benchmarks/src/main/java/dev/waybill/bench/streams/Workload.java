package dev.waybill.bench.streams;

import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Supplier;

import dev.waybill.local.client.Json;
import dev.waybill.local.runtime.ServerEvent;
import dev.waybill.local.runtime.StreamingClient;

/**
 * A run that clients execute repeatedly, with its expected events.
 *
 * @param path returns the path of a client's next request
 * @param body request body
 * @param tokens number of message events of the run
 */
record Workload(Supplier<String> path, byte[] body, int tokens) {

    private static final String MESSAGES = "messages";

    /** @param more additional members of the request as JSON */
    static Workload tokens(int tokens, String more) {
        return tokens(() -> "/runs/stream", tokens, more);
    }

    /** Returns runs on threads. Each client executes this number of runs on a thread and then begins a new one. */
    static Workload onThreads(int tokens, int runsPerThread) {
        ThreadLocal<ClientThread> threads = ThreadLocal.withInitial(ClientThread::new);
        return tokens(() -> "/threads/" + threads.get().next(runsPerThread) + "/runs/stream", tokens,
                ", \"if_not_exists\": \"create\"");
    }

    private static Workload tokens(Supplier<String> path, int tokens, String more) {
        return new Workload(path,
                ("{\"assistant_id\": \"agent\", \"stream_mode\": \"messages-tuple\", \"input\": {\"messages\":"
                        + " [{\"role\": \"user\", \"content\": \"tokens:" + tokens + "\"}]}" + more + "}")
                        .getBytes(StandardCharsets.UTF_8),
                tokens);
    }

    /** Executes one run from the request to the end of the response. */
    RunTimes run(StreamingClient client) {
        return run(client, event -> {
        });
    }

    RunTimes run(StreamingClient client, Consumer<ServerEvent> reader) {
        long startNanos = System.nanoTime();
        long firstEvent = 0;
        long firstMessage = 0;
        int messages = 0;
        client.post(path.get(), body);
        for (var event = client.next(); event.isPresent(); event = client.next()) {
            if (firstEvent == 0) {
                firstEvent = System.nanoTime() - startNanos;
            }
            if (event.get().name().equals(MESSAGES) && messages++ == 0) {
                firstMessage = System.nanoTime() - startNanos;
            }
            if (event.get().name().equals("error")) {
                throw new IllegalStateException("a run failed: " + Json.parse(event.get().data()));
            }
            reader.accept(event.get());
        }
        if (messages != tokens) {
            throw new IllegalStateException("a run streamed " + messages + " messages instead of " + tokens);
        }
        return new RunTimes(firstEvent, firstMessage, System.nanoTime() - startNanos);
    }

    /**
     * Times of one run in nanoseconds since the request.
     *
     * @param firstEvent first event of any type
     * @param firstMessage first message of the graph
     * @param total end of the response
     */
    record RunTimes(long firstEvent, long firstMessage, long total) {
    }

    /** The thread of a client. */
    private static final class ClientThread {

        private UUID id = UUID.randomUUID();
        private int runs;

        UUID next(int runsPerThread) {
            if (runs == runsPerThread) {
                id = UUID.randomUUID();
                runs = 0;
            }
            runs++;
            return id;
        }
    }
}
