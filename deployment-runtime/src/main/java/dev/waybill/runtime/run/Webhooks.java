package dev.waybill.runtime.run;

import java.net.InetAddress;
import java.net.URI;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;

import javax.net.ssl.X509TrustManager;

import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import jakarta.interceptor.Interceptor;

import org.jboss.logging.Logger;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.common.logging.LogKeys;
import dev.waybill.common.net.AddressGuard;
import dev.waybill.common.net.TrustedAuthorities;
import dev.waybill.common.net.UnsafeAddressException;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.problem.Violation;
import io.quarkus.runtime.ShutdownDelayInitiatedEvent;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.net.TrustOptions;

/**
 * Tells the address that a caller gave how the run ended. The address is the caller's and so is not trusted: it must be public,
 * is looked up anew for every attempt, and the connection goes to the very address that was checked. Redirects are not
 * followed. Its query is often a secret: it is sent and never logged.
 */
@Singleton
class Webhooks {

    private static final Logger LOG = Logger.getLogger(Webhooks.class);
    /** After {@link Drain}, whose runs are what is told. */
    private static final int AFTER_RUNS = Interceptor.Priority.APPLICATION + 600;
    private static final long FIRST_PAUSE_MILLIS = 1_000;
    private static final int MAX_ANSWER_BYTES = 16 << 10;

    private final RunConfig config;
    private final AddressGuard guard;
    private final Vertx vertx;
    private final ObjectMapper mapper;
    private final HttpClient client;
    private final Set<CompletableFuture<?>> underWay = ConcurrentHashMap.newKeySet();

    Webhooks(RunConfig config, AddressGuard guard, TrustedAuthorities authorities, Vertx vertx, ObjectMapper mapper) {
        this.config = config;
        this.guard = guard;
        this.vertx = vertx;
        this.mapper = mapper;
        HttpClientOptions options = new HttpClientOptions().setConnectTimeout((int) config.webhookTimeout().toMillis());
        Arrays.stream(authorities.managers())
                .filter(X509TrustManager.class::isInstance)
                .findFirst()
                .ifPresent(manager -> options.setTrustOptions(TrustOptions.wrap(manager)));
        this.client = vertx.createHttpClient(options);
    }

    /**
     * Refuses an address that nothing would be sent to.
     *
     * @throws ProblemException 422 with what is wrong with it
     */
    void check(CreateRunRequest request) {
        try {
            if (request.webhook() != null) {
                Hook.parse(request.webhook(), guard);
            }
        } catch (UnsafeAddressException e) {
            throw ProblemException.invalid(Violation.of("webhook", String.valueOf(e.getMessage()), "invalid"));
        }
    }

    /** Sends the run and its last values, if its caller asked for it. */
    void send(Run run, Run.End end) {
        String webhook = run.request().webhook();
        if (webhook != null) {
            CompletableFuture<Void> over = new CompletableFuture<>();
            underWay.add(over);
            over.whenComplete((nothing, failure) -> underWay.remove(over));
            attempt(run, Hook.parse(webhook, guard), Buffer.buffer(body(run, end)), 1, over);
        }
    }

    /** When the runtime stops, after the runs have ended: what is on its way may arrive. */
    void stop(@Observes @Priority(AFTER_RUNS) ShutdownDelayInitiatedEvent stopping) throws InterruptedException {
        try {
            CompletableFuture.allOf(underWay.toArray(CompletableFuture<?>[]::new))
                    .get(config.webhookTimeout().toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            LOG.warnf("the runtime stops before webhooks have arrived: count=%d", underWay.size());
        } catch (ExecutionException e) {
            throw new IllegalStateException("none ever fails: it is given up", e);
        }
    }

    private void attempt(Run run, Hook hook, Buffer body, int attempt, CompletableFuture<Void> over) {
        vertx.executeBlocking(() -> guard.addresses(hook.address()).getFirst(), false)
                .compose(address -> post(hook, address, body))
                .onSuccess(status -> over.complete(null))
                .onFailure(failure -> {
                    if (attempt < config.webhookAttempts()) {
                        vertx.setTimer(FIRST_PAUSE_MILLIS << Math.min(attempt - 1, 10),
                                ignored -> attempt(run, hook, body, attempt + 1, over));
                    } else {
                        over.complete(null);
                        LOG.warnf("a webhook was given up: %s=%s attempts=%d reason=%s", LogKeys.RUN_ID, run.id(), attempt,
                                failure.getMessage());
                    }
                });
    }

    private Future<Integer> post(Hook hook, InetAddress address, Buffer body) {
        URI url = hook.address();
        boolean secure = "https".equalsIgnoreCase(url.getScheme());
        int port = url.getPort() != -1 ? url.getPort() : secure ? 443 : 80;
        RequestOptions request = new RequestOptions()
                .setMethod(HttpMethod.POST)
                .setServer(SocketAddress.inetSocketAddress(port, address.getHostAddress()))
                .setHost(url.getHost())
                .setPort(port)
                .setSsl(secure)
                .setURI(hook.target())
                .setTimeout(config.webhookTimeout().toMillis())
                .putHeader("Content-Type", "application/json");
        return client.request(request)
                .compose(call -> {
                    Promise<Integer> status = Promise.promise();
                    // The client's own time-out begins anew with every byte.
                    long timer = vertx.setTimer(config.webhookTimeout().toMillis(), ignored -> {
                        status.tryFail("it did not answer within " + config.webhookTimeout());
                        call.reset();
                    });
                    call.send(body)
                            .onFailure(status::tryFail)
                            .onSuccess(answer -> take(call, answer, status));
                    return status.future().onComplete(done -> vertx.cancelTimer(timer));
                })
                .compose(status -> status / 100 == 2
                        ? Future.succeededFuture(status)
                        : Future.failedFuture("it was answered " + status));
    }

    /** Only the status matters: a short body is read so that the connection can be used again, a long one ends it. */
    private static void take(HttpClientRequest call, HttpClientResponse answer, Promise<Integer> status) {
        int[] read = { 0 };
        answer.exceptionHandler(status::tryFail);
        answer.endHandler(ignored -> status.tryComplete(answer.statusCode()));
        answer.handler(part -> {
            read[0] += part.length();
            if (read[0] > MAX_ANSWER_BYTES) {
                status.tryComplete(answer.statusCode());
                call.reset();
            }
        });
    }

    /**
     * Where a webhook goes.
     *
     * @param query with its question mark, or nothing
     */
    private record Hook(URI address, String query) {

        private static final Pattern QUERY = Pattern.compile("(?:\\?(?:[A-Za-z0-9._~!$&'()*+,;=:@/?-]|%[0-9A-Fa-f]{2})*)?");

        /** The guard judges what leads somewhere; the query does not. */
        static Hook parse(String text, AddressGuard guard) {
            int mark = text.indexOf('?');
            Hook hook = new Hook(guard.parse(mark < 0 ? text : text.substring(0, mark)), mark < 0 ? "" : text.substring(mark));
            if (!QUERY.matcher(hook.query).matches()) {
                throw ProblemException.invalid(Violation.of("webhook",
                        "must have a query of plain characters and %-escapes, and no fragment", "invalid"));
            }
            return hook;
        }

        String target() {
            return (address.getRawPath().isEmpty() ? "/" : address.getRawPath()) + query;
        }
    }

    private byte[] body(Run run, Run.End end) {
        try {
            ObjectNode told = mapper.valueToTree(run.response());
            told.set("values", end.values());
            return mapper.writeValueAsBytes(told);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a run can always be written", e);
        }
    }
}
