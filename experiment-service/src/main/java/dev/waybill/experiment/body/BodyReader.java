package dev.waybill.experiment.body;

import java.util.Locale;
import java.util.UUID;

import jakarta.inject.Singleton;

import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.reactive.Blocking;
import dev.waybill.common.security.CallerContext;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.Startup;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;

/**
 * Reads large request bodies into memory, chunked or not, compressed or not (contract.md "Trace intake"). Too large a body
 * is a 413, a body beyond the memory or request limits a 429. Decompression runs on virtual threads, never on the event
 * loop.
 */
@Singleton
@Startup // registers its meters at start
public class BodyReader {

    // Clients that send Expect: 100-continue wait for the interim response before they send the body.
    private static final String EXPECT_CONTINUE = "100-continue";

    private final Blocking blocking;
    private final AdmissionControl admission;
    private final CallerContext caller;
    private final int maxBodySize;
    private final int maxDecompressedSize;

    BodyReader(Blocking blocking, IntakeConfig config, CallerContext caller, MeterRegistry meters) {
        this.blocking = blocking;
        this.caller = caller;
        this.admission = new AdmissionControl(AdmissionControl.Limits.of(config));
        this.maxBodySize = Math.toIntExact(config.maxBodySize().asLongValue());
        this.maxDecompressedSize = Math.toIntExact(config.maxDecompressedSize().asLongValue());
        meters.gauge("waybill.intake.memory.used", admission, AdmissionControl::bytes);
        meters.gauge("waybill.intake.requests", admission, AdmissionControl::requests);
        for (AdmissionControl.RejectionReason reason : AdmissionControl.RejectionReason.values()) {
            FunctionCounter
                    .builder("waybill.intake.rejected", admission, source -> source.rejected(reason))
                    .tag("reason", reason.name().toLowerCase(Locale.ROOT))
                    .register(meters);
        }
    }

    /**
     * Reads the request's body; the caller releases it. Rejects the request before reading the body where its headers
     * suffice.
     */
    public Uni<Body> read(HttpServerRequest request) {
        UUID workspace = caller.workspace();
        try {
            ContentCoding.parse(request.getHeader(HttpHeaders.CONTENT_ENCODING));
            long contentLength = contentLength(request);
            if (contentLength > maxBodySize) {
                throw tooLarge(maxBodySize, "has");
            }
            AdmissionControl.Permit permit = admission.admit(workspace, contentLength);
            return read(request, permit)
                    .onFailure().invoke(permit::close)
                    .onCancellation().invoke(permit::close);
        } catch (ProblemException e) {
            BodyCollector.discard(request, 2L * maxBodySize);
            return Uni.createFrom().failure(e);
        }
    }

    private Uni<Body> read(HttpServerRequest request, AdmissionControl.Permit permit) {
        if (EXPECT_CONTINUE.equalsIgnoreCase(request.getHeader(HttpHeaders.EXPECT))) {
            request.response().writeContinue();
        }
        Body sent = new Body(permit, request.getHeader(HttpHeaders.CONTENT_TYPE), maxBodySize,
                () -> tooLarge(maxBodySize, "has"));
        return Uni.createFrom()
                .<Body> emitter(emitter -> new BodyCollector(request, sent, maxBodySize, emitter).start())
                .chain(complete -> decompress(request, permit, complete));
    }

    private Uni<Body> decompress(HttpServerRequest request, AdmissionControl.Permit permit, Body sent) {
        ContentCoding coding = ContentCoding.parse(request.getHeader(HttpHeaders.CONTENT_ENCODING));
        if (coding == ContentCoding.IDENTITY) {
            return Uni.createFrom().item(sent);
        }
        Body decompressed = new Body(permit, sent.contentType().orElse(null), maxDecompressedSize,
                () -> tooLarge(maxDecompressedSize, "decompresses to"));
        return blocking
                .call(() -> {
                    coding.decompress(sent, decompressed);
                    return decompressed;
                })
                .onFailure().invoke(decompressed::releaseMemory)
                .onCancellation().invoke(decompressed::releaseMemory)
                .onTermination().invoke(sent::releaseMemory);
    }

    private static long contentLength(HttpServerRequest request) {
        String length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
        return length != null && length.length() < 19 ? Long.parseLong(length) : 0;
    }

    private static ProblemException tooLarge(int limit, String verb) {
        return new ProblemException(CommonProblem.TOO_LARGE, "The body " + verb + " more than " + limit
                + " bytes; send fewer runs per request (GET /info returns the limits).")
                .with("limit_bytes", limit);
    }

    /**
     * Collects one request body on its event loop. After a rejection it reads and discards the rest up to a limit, because a
     * client whose connection is closed while it sends does not read the response; beyond the limit the connection is closed.
     */
    static final class BodyCollector {

        private final HttpServerRequest request;
        // Read in the constructor: the injected request is only valid while its scope is active.
        private final HttpConnection connection;
        private final Body body;
        private final int limit;
        private final UniEmitter<? super Body> emitter;
        private boolean done;
        private long discardedBytes;

        BodyCollector(HttpServerRequest request, Body body, int limit, UniEmitter<? super Body> emitter) {
            this.request = request;
            this.connection = request.connection();
            this.body = body;
            this.limit = limit;
            this.emitter = emitter;
        }

        /** Discards the rest of a rejected request's body; closes the connection after {@code limit} bytes. */
        static void discard(HttpServerRequest request, long limit) {
            HttpConnection connection = request.connection();
            long[] discardedBytes = { 0 };
            request.exceptionHandler(ignored -> {
                // The response has already been sent.
            });
            request.handler(chunk -> {
                discardedBytes[0] += chunk.length();
                if (discardedBytes[0] > limit) {
                    connection.close();
                }
            });
            request.resume();
        }

        void start() {
            request.handler(this::append);
            request.endHandler(ignored -> end());
            request.exceptionHandler(this::abort);
            request.resume();
        }

        private void append(Buffer chunk) {
            if (done) {
                discardChunk(chunk);
                return;
            }
            try {
                body.append(chunk);
            } catch (ProblemException e) {
                fail(e);
            }
        }

        private void discardChunk(Buffer chunk) {
            discardedBytes += chunk.length();
            if (discardedBytes > limit) {
                connection.close();
            }
        }

        private void fail(Throwable failure) {
            if (!done) {
                done = true;
                body.releaseMemory();
                emitter.fail(failure);
            }
        }

        private void end() {
            if (!done) {
                done = true;
                emitter.complete(body);
            }
        }

        private void abort(Throwable cause) {
            fail(new ProblemException(CommonProblem.MALFORMED_REQUEST, "The request body is incomplete.", cause));
        }
    }
}
