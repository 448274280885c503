package dev.waybill.runtime.run;

import java.net.InetAddress;
import java.net.URI;
import java.time.Duration;
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

import dev.waybill.common.limit.Backoff;
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
 * Posts the result of a run to the URL that its client gave. The URL is untrusted: it must resolve to a public address, is
 * resolved
 * again for each attempt, and the connection uses the verified address. Redirects are not followed. The query often contains a
 * secret and is never logged.
 */
@Singleton
class WebhookSender {

    private static final Logger LOG = Logger.getLogger(WebhookSender.class);
    /** After {@link RunRegistry}, which ends the remaining runs. */
    private static final int AFTER_RUNS = Interceptor.Priority.APPLICATION + 600;
    private static final Backoff BACKOFF = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(1_024));
    private static final int MAX_ATTEMPTS = 4;
    /** Timeout of the connection and of the response, each. */
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final int MAX_RESPONSE_BYTES = 16 << 10;

    private final AddressGuard guard;
    private final Vertx vertx;
    private final ObjectMapper mapper;
    private final HttpClient client;
    private final Set<CompletableFuture<?>> pending = ConcurrentHashMap.newKeySet();

    WebhookSender(AddressGuard guard, TrustedAuthorities authorities, Vertx vertx, ObjectMapper mapper) {
        this.guard = guard;
        this.vertx = vertx;
        this.mapper = mapper;
        HttpClientOptions options = new HttpClientOptions().setConnectTimeout((int) TIMEOUT.toMillis());
        Arrays.stream(authorities.managers())
                .filter(X509TrustManager.class::isInstance)
                .findFirst()
                .ifPresent(manager -> options.setTrustOptions(TrustOptions.wrap(manager)));
        this.client = vertx.createHttpClient(options);
    }

    /**
     * Validates the request's webhook.
     *
     * @throws ProblemException 422 when the URL is invalid or its address is not allowed
     */
    void check(CreateRunRequest request) {
        try {
            if (request.webhook() != null) {
                Target.parse(request.webhook(), guard);
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
            attempt(run, Target.parse(webhook, guard), Buffer.buffer(body(run, end)), 1, done);
        }
    }

    /** Waits for pending deliveries at shutdown, after the runs have ended. */
    void stop(@Observes @Priority(AFTER_RUNS) ShutdownDelayInitiatedEvent stopping) throws InterruptedException {
        try {
            CompletableFuture.allOf(pending.toArray(CompletableFuture<?>[]::new))
                    .get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            LOG.warnf("shut down before webhooks were delivered: count=%d", pending.size());
        } catch (ExecutionException e) {
            throw new IllegalStateException("deliveries never complete exceptionally", e);
        }
    }

    private void attempt(Run run, Target target, Buffer body, int attempt, CompletableFuture<Void> done) {
        vertx.executeBlocking(() -> guard.addresses(target.address()).getFirst(), false)
                .compose(address -> post(target, address, body))
                .onSuccess(status -> done.complete(null))
                .onFailure(failure -> {
                    if (attempt < MAX_ATTEMPTS) {
                        vertx.setTimer(BACKOFF.delay(attempt).toMillis(),
                                ignored -> attempt(run, target, body, attempt + 1, done));
                    } else {
                        done.complete(null);
                        LOG.warnf("could not deliver a webhook: %s=%s attempts=%d reason=%s", LogKeys.RUN_ID, run.id(), attempt,
                                failure.getMessage());
                    }
                });
    }

    private Future<Integer> post(Target target, InetAddress address, Buffer body) {
        URI url = target.address();
        boolean secure = "https".equalsIgnoreCase(url.getScheme());
        int port = url.getPort() != -1 ? url.getPort() : secure ? 443 : 80;
        RequestOptions request = new RequestOptions()
                .setMethod(HttpMethod.POST)
                .setServer(SocketAddress.inetSocketAddress(port, address.getHostAddress()))
                .setHost(url.getHost())
                .setPort(port)
                .setSsl(secure)
                .setURI(target.requestUri())
                .setTimeout(TIMEOUT.toMillis())
                .putHeader("Content-Type", "application/json");
        return client.request(request)
                .compose(call -> {
                    Promise<Integer> status = Promise.promise();
                    // The client's own timeout restarts with every byte.
                    long timer = vertx.setTimer(TIMEOUT.toMillis(), ignored -> {
                        status.tryFail("no response within " + TIMEOUT);
                        call.reset();
                    });
                    call.send(body)
                            .onFailure(status::tryFail)
                            .onSuccess(response -> readBody(call, response, status));
                    return status.future().onComplete(done -> vertx.cancelTimer(timer));
                })
                .compose(status -> status / 100 == 2
                        ? Future.succeededFuture(status)
                        : Future.failedFuture("response status " + status));
    }

    /** Reads a short body so that the connection can be reused; aborts a long one. Only the status matters. */
    private static void readBody(HttpClientRequest call, HttpClientResponse response, Promise<Integer> status) {
        int[] read = { 0 };
        response.exceptionHandler(status::tryFail);
        response.endHandler(ignored -> status.tryComplete(response.statusCode()));
        response.handler(part -> {
            read[0] += part.length();
            if (read[0] > MAX_RESPONSE_BYTES) {
                status.tryComplete(response.statusCode());
                call.reset();
            }
        });
    }

    /**
     * The URL of a webhook.
     *
     * @param query query with the question mark; may be empty
     */
    private record Target(URI address, String query) {

        private static final Pattern QUERY = Pattern.compile("(?:\\?(?:[A-Za-z0-9._~!$&'()*+,;=:@/?-]|%[0-9A-Fa-f]{2})*)?");

        /** Parses the URL; the guard verifies all of it but the query, which does not affect the address. */
        static Target parse(String text, AddressGuard guard) {
            int mark = text.indexOf('?');
            Target target = new Target(guard.parse(mark < 0 ? text : text.substring(0, mark)),
                    mark < 0 ? "" : text.substring(mark));
            if (!QUERY.matcher(target.query).matches()) {
                throw ProblemException.invalid(Violation.of("webhook",
                        "must have a query of plain characters and %-escapes, and no fragment", "invalid"));
            }
            return target;
        }

        String requestUri() {
            return (address.getRawPath().isEmpty() ? "/" : address.getRawPath()) + query;
        }
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
