package dev.waybill.runtime.run;

import java.net.InetAddress;
import java.net.URI;
import java.util.Arrays;

import javax.net.ssl.X509TrustManager;

import jakarta.inject.Singleton;

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
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.net.TrustOptions;

/**
 * Tells the address that a caller gave how the run ended. The address is the caller's and so is not trusted: it must be public,
 * is looked up anew for every attempt, and the connection goes to the very address that was checked. Redirects are not
 * followed.
 */
@Singleton
class Webhooks {

    private static final Logger LOG = Logger.getLogger(Webhooks.class);
    private static final long FIRST_PAUSE_MILLIS = 1_000;

    private final RunConfig config;
    private final AddressGuard guard;
    private final Vertx vertx;
    private final ObjectMapper mapper;
    private final HttpClient client;

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
                guard.parse(request.webhook());
            }
        } catch (UnsafeAddressException e) {
            throw ProblemException.invalid(Violation.of("webhook", String.valueOf(e.getMessage()), "invalid"));
        }
    }

    /** Sends the run and its last values, if its caller asked for it. */
    void send(Run run, Run.End end) {
        String webhook = run.request().webhook();
        if (webhook != null) {
            attempt(run, guard.parse(webhook), Buffer.buffer(body(run, end)), 1);
        }
    }

    private void attempt(Run run, URI url, Buffer body, int attempt) {
        vertx.executeBlocking(() -> guard.addresses(url).getFirst(), false)
                .compose(address -> post(url, address, body))
                .onFailure(failure -> {
                    if (attempt < config.webhookAttempts()) {
                        vertx.setTimer(FIRST_PAUSE_MILLIS << Math.min(attempt - 1, 10),
                                ignored -> attempt(run, url, body, attempt + 1));
                    } else {
                        LOG.warnf("a webhook was given up: %s=%s attempts=%d reason=%s", LogKeys.RUN_ID, run.id(), attempt,
                                failure.getMessage());
                    }
                });
    }

    private Future<Integer> post(URI url, InetAddress address, Buffer body) {
        boolean secure = "https".equalsIgnoreCase(url.getScheme());
        int port = url.getPort() != -1 ? url.getPort() : secure ? 443 : 80;
        RequestOptions request = new RequestOptions()
                .setMethod(HttpMethod.POST)
                .setServer(SocketAddress.inetSocketAddress(port, address.getHostAddress()))
                .setHost(url.getHost())
                .setPort(port)
                .setSsl(secure)
                .setURI(url.getRawPath().isEmpty() ? "/" : url.getRawPath())
                .setTimeout(config.webhookTimeout().toMillis())
                .putHeader("Content-Type", "application/json");
        return client.request(request)
                .compose(call -> call.send(body).compose(answer -> answer.statusCode() / 100 == 2
                        ? Future.succeededFuture(answer.statusCode())
                        : Future.failedFuture("it was answered " + answer.statusCode())));
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
