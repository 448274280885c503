package dev.waybill.soak.replicas;

import java.io.UncheckedIOException;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.client.WaybillException;

/**
 * Sends requests to replicas and repeats them at the next replica, with the same ids and {@code Idempotency-Key}, if one does
 * not respond or returns status 5xx. Records these failures.
 */
public final class RetryingClient {

    private static final Duration TIMEOUT = Duration.ofMinutes(10);
    private static final Duration RETRY_INTERVAL = Duration.ofMillis(100);
    private static final int CONFLICT = 409;
    private static final int TOO_MANY = 429;

    private final List<FailedRequest> failedRequests = new CopyOnWriteArrayList<>();

    /** Calls the replicas in turn until one succeeds. Throws the exception of a response with status 4xx. */
    public <T> T call(ReplicaPool pool, Function<ServiceReplica, T> request) {
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        while (true) {
            // Before the replica's client is read, because a restart replaces the client.
            long sent = System.nanoTime();
            ServiceReplica replica = pool.startRequest();
            try {
                return request.apply(replica);
            } catch (WaybillException e) {
                if (e.status() >= 500) {
                    failedRequests.add(new FailedRequest(replica, sent, System.nanoTime(), String.valueOf(e.getMessage())));
                } else if (!isRetryable(e)) {
                    throw e;
                }
            } catch (UncheckedIOException e) {
                // A timeout may only mean that the machine is slow.
                if (!(e.getCause() instanceof HttpTimeoutException)) {
                    failedRequests
                            .add(new FailedRequest(replica, sent, System.nanoTime(), e.getMessage() + ": " + e.getCause()));
                }
            } finally {
                replica.endRequest();
            }
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("no replica of " + pool.service() + " has responded for " + TIMEOUT
                        + ": " + failedRequests.getLast());
            }
            LockSupport.parkNanos(RETRY_INTERVAL.toNanos());
        }
    }

    public JsonNode get(ReplicaPool pool, String path) {
        return call(pool, replica -> replica.client().json().get(replica.at(path)));
    }

    public JsonNode post(ReplicaPool pool, String path, JsonNode body) {
        return call(pool, replica -> replica.client().json().post(replica.at(path), body));
    }

    /** Creates a resource exactly once, with retries, and returns its id. */
    public String create(ReplicaPool pool, String path, JsonNode body, Function<JsonNode, JsonNode> id) {
        String key = UUID.randomUUID().toString();
        try {
            return id.apply(call(pool, replica -> replica.client().withHeader("Idempotency-Key", key).json()
                    .post(replica.at(path), body))).textValue();
        } catch (WaybillException e) {
            if (e.status() == CONFLICT && e.problem().has("created_id")) {
                // An earlier attempt created it, and the replica died before it responded.
                return e.problem().required("created_id").textValue();
            }
            throw e;
        }
    }

    private static boolean isRetryable(WaybillException rejection) {
        return rejection.status() == TOO_MANY
                || rejection.status() == CONFLICT && rejection.problem().path("detail").asText().contains("still in progress");
    }

    /** Returns the failures of replicas without an outage. */
    public List<String> unexpectedFailures() {
        return failedRequests.stream().filter(request -> !request.hasOutage()).map(FailedRequest::toString).toList();
    }

    /** Returns all failures. */
    public List<String> failures() {
        return failedRequests.stream().map(FailedRequest::toString).toList();
    }
}
