package dev.waybill.runtime.access;

import java.time.Clock;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.TimeoutException;

import jakarta.inject.Singleton;

import org.jboss.logging.Logger;

import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.telemetry.Telemetry;
import dev.waybill.common.telemetry.TraceParent;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.json.JsonObject;

/**
 * Asks the control plane whom a key stands for ({@code GET /v1/whoami}). Its answers are remembered for a short time; while
 * it is away, keys that were good go on working (contract.md "Accounts and keys").
 */
@Singleton
class ControlPlaneKeys {

    private static final Logger LOG = Logger.getLogger(ControlPlaneKeys.class);
    private static final Duration LONGEST_TRUST = Duration.ofSeconds(30);
    private static final int MOST_CONNECTIONS = 16;

    private final AccessConfig config;
    private final HttpClient client;
    private final KeyAnswers answers;
    private final Telemetry telemetry;

    ControlPlaneKeys(AccessConfig config, Vertx vertx, Clock clock, Telemetry telemetry) {
        if (config.cache().plus(config.recheck()).compareTo(LONGEST_TRUST) > 0 || config.recheck().isZero()) {
            throw new IllegalStateException(
                    "waybill.runtime.access.cache and waybill.runtime.access.recheck must be at most 30s"
                            + " together, so that revoked keys stop working");
        }
        this.config = config;
        this.telemetry = telemetry;
        this.client = vertx.createHttpClient(new HttpClientOptions()
                .setConnectTimeout((int) config.timeout().toMillis())
                .setMaxPoolSize(MOST_CONNECTIONS));
        this.answers = new KeyAnswers(clock, config.cache(), config.grace(), config.cached());
    }

    boolean configured() {
        return config.controlPlaneUrl().isPresent();
    }

    /** Whom the key stands for, as far as that was asked lately. */
    Optional<Holder> known(String key) {
        return configured() ? answers.fresh(hash(key)).flatMap(KeyAnswers.Answer::holder) : Optional.empty();
    }

    /** Whom the key stands for, if it opens this application; a failure with the problem to answer when nobody can tell. */
    Uni<Optional<String>> principal(String key) {
        return holder(key).map(found -> found.map(Holder::principal));
    }

    /** As {@link #principal}, with which key it is. */
    Uni<Optional<Holder>> holder(String key) {
        if (!configured()) {
            return Uni.createFrom().item(Optional.empty());
        }
        String hash = hash(key);
        return answers.fresh(hash)
                .map(known -> Uni.createFrom().item(known.holder()))
                .orElseGet(() -> askTwice(key)
                        .invoke(holder -> answers.note(hash, holder))
                        .onFailure().recoverWithUni(failure -> last(hash, failure)));
    }

    private static String hash(String key) {
        return HexFormat.of().formatHex(ListedKeys.hash(key));
    }

    private Uni<Optional<Holder>> last(String hash, Throwable failure) {
        LOG.warnf("the control plane does not answer for a key: %s", failure.getMessage());
        Optional<Holder> holder = answers.last(hash);
        return holder.isPresent()
                ? Uni.createFrom().item(holder)
                : Uni.createFrom().failure(() -> new ProblemException(CommonProblem.UNAVAILABLE,
                        "The API key cannot be checked now, because the control plane does not answer.")
                        .retryAfter(config.timeout()));
    }

    /** What one replica of the control plane cuts off because it ends, another one answers. */
    private Uni<Optional<Holder>> askTwice(String key) {
        return ask(key).onFailure(failure -> !(failure instanceof TimeoutException)).retry().atMost(1);
    }

    private Uni<Optional<Holder>> ask(String key) {
        RequestOptions request = new RequestOptions()
                .setMethod(HttpMethod.GET)
                .setAbsoluteURI(config.controlPlaneUrl().orElseThrow().toString().replaceAll("/+$", "") + "/v1/whoami")
                .setTimeout(config.timeout().toMillis())
                .putHeader("X-Api-Key", key);
        config.workspaceId().ifPresent(id -> request.putHeader("X-Tenant-Id", id));
        return Uni.createFrom().completionStage(() -> call(request).toCompletionStage());
    }

    // The answer is read where it arrives: elsewhere it may have ended before anybody listens.
    private Future<Optional<Holder>> call(RequestOptions request) {
        Span span = telemetry.startSpan("GET /v1/whoami", SpanKind.CLIENT);
        String traceParent = TraceParent.format(span.getSpanContext());
        if (traceParent != null) {
            request.putHeader(TraceParent.HEADER, traceParent);
        }
        return client.request(request)
                .compose(call -> call.send().compose(this::holder))
                .onComplete(asked -> end(span, asked.succeeded()));
    }

    private static void end(Span span, boolean answered) {
        if (!answered) {
            span.setStatus(StatusCode.ERROR);
        }
        span.end();
    }

    private Future<Optional<Holder>> holder(HttpClientResponse answer) {
        return switch (answer.statusCode()) {
            case 200 -> answer.body().map(body -> holder(new JsonObject(body)));
            case 401, 403 -> Future.succeededFuture(Optional.empty());
            default -> Future.failedFuture("it answered " + answer.statusCode());
        };
    }

    private Optional<Holder> holder(JsonObject whoami) {
        String workspace = whoami.getString("tenant_id");
        boolean elsewhere = config.workspaceId().isPresent() && !config.workspaceId().get().equalsIgnoreCase(workspace);
        return elsewhere ? Optional.empty() : Optional.of(Holder.from(whoami));
    }
}
