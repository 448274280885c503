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

    BodyReader(Blocking blocking, BodyLimits limits, CallerContext caller, MeterRegistry meters) {
        this.blocking = blocking;
        this.caller = caller;
        this.admission = new AdmissionControl(limits.maxConcurrentRequests(), limits.maxConcurrentRequestsPerWorkspace(),
                limits.maxMemory(), limits.maxMemoryPerWorkspace());
        this.maxBodySize = Math.toIntExact(limits.maxBodySize());
        this.maxDecompressedSize = Math.toIntExact(limits.maxDecompressedSize());
        meters.gauge("waybill.intake.memory.used", admission, AdmissionControl::bytes);
        meters.gauge("waybill.intake.requests", admission, AdmissionControl::requests);
        for (AdmissionControl.RejectionReason reason : AdmissionControl.RejectionReason.values()) {
            FunctionCounter
                    .builder("waybill.intake.refused", admission, source -> source.rejected(reason))
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
        BodyBuffer sent = new BodyBuffer(permit, maxBodySize, () -> tooLarge(maxBodySize, "has"));
        return Uni.createFrom()
                .<BodyBuffer> emitter(emitter -> new BodyCollector(request, sent, maxBodySize, emitter).start())
                .chain(complete -> decompress(request, permit, complete));
    }

    private Uni<Body> decompress(HttpServerRequest request, AdmissionControl.Permit permit, BodyBuffer sent) {
        ContentCoding coding = ContentCoding.parse(request.getHeader(HttpHeaders.CONTENT_ENCODING));
        String contentType = request.getHeader(HttpHeaders.CONTENT_TYPE);
        if (coding == ContentCoding.IDENTITY) {
            return Uni.createFrom().item(new Body(sent, permit, contentType));
        }
        BodyBuffer decompressed = new BodyBuffer(permit, maxDecompressedSize,
                () -> tooLarge(maxDecompressedSize, "decompresses to"));
        return blocking
                .call(() -> {
                    coding.decompress(sent, decompressed);
                    return new Body(decompressed, permit, contentType);
                })
                .onFailure().invoke(decompressed::release)
                .onCancellation().invoke(decompressed::release)
                .onTermination().invoke(sent::release);
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
}
