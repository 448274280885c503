package dev.waybill.local.soak.replicas;

import java.io.UncheckedIOException;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.local.client.WaybillException;

/**
 * A client with retries: what one replica does not answer, or with a 5xx, is sent to the next, with the same ids and the same
 * {@code Idempotency-Key}. Every such mishap is remembered.
 */
public final class RetryingClient {

    private static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final Duration PAUSE = Duration.ofMillis(100);
    private static final int CONFLICT = 409;
    private static final int TOO_MANY = 429;

    private final List<FailedRequest> mishaps = new CopyOnWriteArrayList<>();

    /** Asks one replica after the other until one answers; refusals (4xx) are the caller's. */
    public <T> T ask(ReplicaPool rotation, Function<ServiceReplica, T> question) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            // Before the replica's client is taken, which is another one when it has come back.
            long sent = System.nanoTime();
            ServiceReplica member = rotation.enter();
            try {
                return question.apply(member);
            } catch (WaybillException e) {
                if (e.status() >= 500) {
                    mishaps.add(new FailedRequest(member, sent, System.nanoTime(), String.valueOf(e.getMessage())));
                } else if (!isToBeAskedAgain(e)) {
                    throw e;
                }
            } catch (UncheckedIOException e) {
                // An answer that takes long is nothing that a test may judge by.
                if (!(e.getCause() instanceof HttpTimeoutException)) {
                    mishaps.add(new FailedRequest(member, sent, System.nanoTime(), e.getMessage() + ": " + e.getCause()));
                }
            } finally {
                member.exit();
            }
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("no replica of " + rotation.service() + " has answered for " + PATIENCE
                        + ": " + mishaps.getLast());
            }
            LockSupport.parkNanos(PAUSE.toNanos());
        }
    }

    public JsonNode get(ReplicaPool rotation, String path) {
        return ask(rotation, member -> member.client().get(member.at(path)));
    }

    public JsonNode post(ReplicaPool rotation, String path, JsonNode body) {
        return ask(rotation, member -> member.client().post(member.at(path), body));
    }

    /**
     * Makes something, once, however often that has to be asked for.
     *
     * @return its id
     */
    public String create(ReplicaPool rotation, String path, JsonNode body, Function<JsonNode, JsonNode> id) {
        Map<String, String> key = Map.of("Idempotency-Key", UUID.randomUUID().toString());
        try {
            return id.apply(ask(rotation, member -> member.client().post(member.at(path), body, key))).textValue();
        } catch (WaybillException e) {
            if (e.status() == CONFLICT && e.problem().has("created_id")) {
                // It was made, and whoever made it has died before it could answer.
                return e.problem().required("created_id").textValue();
            }
            throw e;
        }
    }

    private static boolean isToBeAskedAgain(WaybillException refusal) {
        return refusal.status() == TOO_MANY
                || refusal.status() == CONFLICT && refusal.problem().path("detail").asText().contains("still in progress");
    }

    /** @return what went wrong at replicas that nothing was being done to */
    public List<String> unexplained() {
        return mishaps.stream().filter(mishap -> !mishap.isExplained()).map(FailedRequest::toString).toList();
    }

    /** @return everything that went wrong */
    public List<String> all() {
        return mishaps.stream().map(FailedRequest::toString).toList();
    }
}
