package dev.waybill.runtime.run;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import jakarta.interceptor.Interceptor;

import org.jboss.logging.Logger;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.common.limit.Backoff;
import dev.waybill.common.logging.LogKeys;
import dev.waybill.common.net.UnsafeAddressException;
import dev.waybill.common.net.WebhookClient;
import dev.waybill.common.net.WebhookClient.Target;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.problem.Violation;
import io.quarkus.runtime.ShutdownDelayInitiatedEvent;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;

/** Posts the result of a run to the URL that its client gave. */
@Singleton
class WebhookSender {

    private static final Logger LOG = Logger.getLogger(WebhookSender.class);
    /** After {@link RunRegistry}, which ends the remaining runs. */
    private static final int AFTER_RUNS = Interceptor.Priority.APPLICATION + 600;
    private static final Backoff BACKOFF = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(1_024));
    private static final int MAX_ATTEMPTS = 4;

    private final WebhookClient client;
    private final Vertx vertx;
    private final ObjectMapper mapper;
    private final Set<CompletableFuture<?>> pending = ConcurrentHashMap.newKeySet();

    WebhookSender(WebhookClient client, Vertx vertx, ObjectMapper mapper) {
        this.client = client;
        this.vertx = vertx;
        this.mapper = mapper;
    }

    /**
     * Validates the request's webhook.
     *
     * @throws ProblemException 422 when the URL is invalid or its address is not allowed
     */
    void check(CreateRunRequest request) {
        try {
            if (request.webhook() != null) {
                client.parse(request.webhook());
            }
        } catch (UnsafeAddressException e) {
            throw ProblemException.invalid(Violation.of("webhook", String.valueOf(e.getMessage()), "invalid"));
        }
    }

    /** Posts the run and its final values to the request's webhook, if any. */
    void send(Run run, Run.End end) {
        String webhook = run.request().webhook();
        if (webhook != null) {
            CompletableFuture<Void> done = new CompletableFuture<>();
            pending.add(done);
            done.whenComplete((nothing, failure) -> pending.remove(done));
            attempt(run, client.parse(webhook), Buffer.buffer(body(run, end)), 1, done);
        }
    }

    /** Waits for pending deliveries at shutdown, after the runs have ended. */
    void stop(@Observes @Priority(AFTER_RUNS) ShutdownDelayInitiatedEvent stopping) throws InterruptedException {
        try {
            CompletableFuture.allOf(pending.toArray(CompletableFuture<?>[]::new))
                    .get(WebhookClient.TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            LOG.warnf("shut down before webhooks were delivered: count=%s", pending.size());
        } catch (ExecutionException e) {
            throw new IllegalStateException("deliveries never complete exceptionally", e);
        }
    }

    private void attempt(Run run, Target target, Buffer body, int attempt, CompletableFuture<Void> done) {
        client.post(target, Map.of(), body)
                .onSuccess(status -> done.complete(null))
                .onFailure(failure -> {
                    if (attempt < MAX_ATTEMPTS) {
                        vertx.setTimer(BACKOFF.delay(attempt).toMillis(),
                                ignored -> attempt(run, target, body, attempt + 1, done));
                    } else {
                        done.complete(null);
                        LOG.warnf("could not deliver a webhook: %s=%s attempts=%s reason=%s", LogKeys.RUN_ID, run.id(), attempt,
                                failure.getMessage());
                    }
                });
    }

    private byte[] body(Run run, Run.End end) {
        try {
            ObjectNode body = mapper.valueToTree(run.response());
            body.set("values", end.values());
            return mapper.writeValueAsBytes(body);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a run can always be written", e);
        }
    }
}
