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

/** The trace store as the one thread sees it that may wait for it: {@code POST /runs/batch}. */
final class TraceStore {

    private static final byte[] HEAD = "{\"patch\":[],\"post\":[".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] TAIL = "]}".getBytes(StandardCharsets.US_ASCII);

    private final HttpClient client;
    private final RequestOptions request;
    private final Duration timeout;

    /** What became of a batch. */
    sealed interface Answer {

        /** The store has it. */
        record Taken() implements Answer {
        }

        /** It may take it later. */
        record Later(String reason, Duration pause) implements Answer {
        }

        /**
         * It will never take it as it is.
         *
         * @param forItsContent whether it may take some of it
         */
        record Refused(int status, boolean forItsContent) implements Answer {
        }
    }

    TraceStore(TracingConfig config, Vertx vertx, TrustedAuthorities authorities) {
        this.timeout = config.timeout();
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
     * Sends them, and waits for the answer.
     *
     * @param traceParent what the store may know of the trace that this call is in; null for none
     */
    Answer post(List<Row> rows, @Nullable String traceParent) throws InterruptedException {
        Buffer body = Buffer.buffer(body(rows));
        AtomicReference<@Nullable HttpClientRequest> open = new AtomicReference<>();
        CompletableFuture<Answer> answer = client.request(within(traceParent))
                .onSuccess(open::set)
                .compose(call -> call.send(body).compose(TraceStore::read))
                .otherwise(failure -> new Answer.Later(reason(failure), Duration.ZERO))
                .toCompletionStage().toCompletableFuture();
        try {
            // Beside the client's own limit, which begins anew with everything that comes.
            return answer.get(timeout.toMillis() * 2, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            HttpClientRequest call = open.get();
            if (call != null) {
                call.reset();
            }
            return new Answer.Later("it did not answer within " + timeout, Duration.ZERO);
        } catch (ExecutionException e) {
            return new Answer.Later(reason(e), Duration.ZERO);
        }
    }

    private RequestOptions within(@Nullable String traceParent) {
        return traceParent == null ? request
                : new RequestOptions(request).putHeader(TraceParent.HEADER, traceParent);
    }

    void close() {
        client.close();
    }

    /**
     * Nothing of what it says beside the status is kept, but it is read to its end so that the connection can be used again.
     */
    private static Future<Answer> read(HttpClientResponse response) {
        Promise<Answer> read = Promise.promise();
        response.exceptionHandler(read::tryFail);
        response.endHandler(ignored -> read.tryComplete(answer(response.statusCode(), response.getHeader("Retry-After"))));
        response.handler(ignored -> {
            // Thrown away.
        });
        return read.future();
    }

    static Answer answer(int status, @Nullable String retryAfter) {
        if (status / 100 == 2) {
            return new Answer.Taken();
        }
        if (status == 408 || status == 425 || status == 429 || status / 100 == 5) {
            boolean seconds = retryAfter != null && retryAfter.matches("\\d{1,6}");
            return new Answer.Later("it answered " + status,
                    seconds ? Duration.ofSeconds(Long.parseLong(retryAfter)) : Duration.ZERO);
        }
        return new Answer.Refused(status, status == 400 || status == 413 || status == 422);
    }

    private static byte[] body(List<Row> rows) {
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
            throw new UncheckedIOException("memory can always be written", e);
        }
        return bytes.toByteArray();
    }

    private static String reason(Throwable failure) {
        String message = failure.getMessage();
        return message == null ? failure.getClass().getSimpleName() : message;
    }
}
