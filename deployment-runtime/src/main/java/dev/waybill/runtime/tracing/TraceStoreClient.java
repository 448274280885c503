package dev.waybill.runtime.tracing;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.zip.GZIPOutputStream;

import javax.net.ssl.X509TrustManager;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.net.TrustedAuthorities;
import dev.waybill.common.telemetry.TraceParent;
import dev.waybill.runtime.tracing.TraceRowWriter.TraceRow;
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
import io.vertx.core.net.TrustOptions;

/** Blocking client of the trace store ({@code POST /runs/batch}), for the sender's thread. */
final class TraceStoreClient {

    private static final byte[] HEAD = "{\"patch\":[],\"post\":[".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] TAIL = "]}".getBytes(StandardCharsets.US_ASCII);

    private final HttpClient client;
    private final RequestOptions request;
    private final Duration timeout;

    /** Result of sending a batch. */
    sealed interface Result {

        /** The store accepted the batch. */
        record Accepted() implements Result {
        }

        /** The store is unavailable; the batch can be retried. */
        record Retry(String reason, Duration delay) implements Result {
        }

        /**
         * The store rejected the batch permanently.
         *
         * @param splittable whether the store may accept a part of the batch
         */
        record Rejected(int status, boolean splittable) implements Result {
        }
    }

    TraceStoreClient(TracingConfig config, Duration timeout, Vertx vertx, TrustedAuthorities authorities) {
        this.timeout = timeout;
        HttpClientOptions options = new HttpClientOptions().setConnectTimeout((int) timeout.toMillis()).setMaxPoolSize(1);
        Arrays.stream(authorities.managers())
                .filter(X509TrustManager.class::isInstance)
                .findFirst()
                .ifPresent(manager -> options.setTrustOptions(TrustOptions.wrap(manager)));
        this.client = vertx.createHttpClient(options);
        this.request = new RequestOptions()
                .setMethod(HttpMethod.POST)
                .setAbsoluteURI(config.url().orElseThrow().toString().replaceAll("/+$", "") + "/runs/batch")
                .setTimeout(timeout.toMillis())
                .putHeader("Content-Type", "application/json")
                .putHeader("Content-Encoding", "gzip");
        config.key().ifPresent(key -> request.putHeader("X-Api-Key", key));
        config.workspaceId().ifPresent(id -> request.putHeader("X-Tenant-Id", id));
    }

    /**
     * Sends the rows and waits for the response.
     *
     * @param traceParent trace context to propagate; null for none
     */
    Result post(List<TraceRow> rows, @Nullable String traceParent) throws InterruptedException {
        Buffer body = Buffer.buffer(body(rows));
        AtomicReference<@Nullable HttpClientRequest> open = new AtomicReference<>();
        CompletableFuture<Result> result = client.request(within(traceParent))
                .onSuccess(open::set)
                .compose(call -> call.send(body).compose(TraceStoreClient::read))
                .otherwise(failure -> new Result.Retry(reason(failure), Duration.ZERO))
                .toCompletionStage().toCompletableFuture();
        try {
            // Limits the whole request: the client's own timeout restarts with every received byte.
            return result.get(timeout.toMillis() * 2, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            HttpClientRequest call = open.get();
            if (call != null) {
                call.reset();
            }
            return new Result.Retry("no response within " + timeout, Duration.ZERO);
        } catch (ExecutionException e) {
            return new Result.Retry(reason(e), Duration.ZERO);
        }
    }

    private RequestOptions within(@Nullable String traceParent) {
        return traceParent == null ? request
                : new RequestOptions(request).putHeader(TraceParent.HEADER, traceParent);
    }

    void close() {
        client.close();
    }

    /** Reads the response to its end, so that the connection can be reused; only status and headers matter. */
    private static Future<Result> read(HttpClientResponse response) {
        Promise<Result> read = Promise.promise();
        response.exceptionHandler(read::tryFail);
        response.endHandler(ignored -> read.tryComplete(result(response.statusCode(), response.getHeader("Retry-After"))));
        response.handler(ignored -> {
            // Discarded.
        });
        return read.future();
    }

    static Result result(int status, @Nullable String retryAfter) {
        if (status / 100 == 2) {
            return new Result.Accepted();
        }
        if (status == 408 || status == 425 || status == 429 || status / 100 == 5) {
            boolean seconds = retryAfter != null && retryAfter.matches("\\d{1,6}");
            return new Result.Retry("status " + status,
                    seconds ? Duration.ofSeconds(Long.parseLong(retryAfter)) : Duration.ZERO);
        }
        return new Result.Rejected(status, status == 400 || status == 413 || status == 422);
    }

    private static byte[] body(List<TraceRow> rows) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(8192);
        try (GZIPOutputStream zipped = new GZIPOutputStream(bytes, 8192)) {
            zipped.write(HEAD);
            for (int i = 0; i < rows.size(); i++) {
                if (i > 0) {
                    zipped.write(',');
                }
                zipped.write(rows.get(i).json());
            }
            zipped.write(TAIL);
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory failed", e);
        }
        return bytes.toByteArray();
    }

    private static String reason(Throwable failure) {
        String message = failure.getMessage();
        return message == null ? failure.getClass().getSimpleName() : message;
    }
}
