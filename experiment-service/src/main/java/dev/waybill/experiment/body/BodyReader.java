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
 * Takes in large bodies, chunked or not, packed or not (contract.md "Trace intake"). A body that is too large is answered
 * 413, one that finds no room 429; nothing is unpacked on the event loop.
 */
@Singleton
@Startup // its meters have to be there before they count
public class BodyReader {

    // Some senders wait for a word before they send what is large, and so need not send what is refused.
    private static final String EXPECTED = "100-continue";

    private final Blocking blocking;
    private final AdmissionControl admission;
    private final CallerContext caller;
    private final int maxSent;
    private final int maxUnpacked;

    BodyReader(Blocking blocking, BodyLimits limits, CallerContext caller, MeterRegistry meters) {
        this.blocking = blocking;
        this.caller = caller;
        this.admission = new AdmissionControl(limits.requests(), limits.requestsOfOne(), limits.bytes(), limits.bytesOfOne());
        this.maxSent = Math.toIntExact(limits.sentBytes());
        this.maxUnpacked = Math.toIntExact(limits.unpackedBytes());
        meters.gauge("waybill.intake.memory.used", admission, AdmissionControl::bytes);
        meters.gauge("waybill.intake.requests", admission, AdmissionControl::requests);
        for (AdmissionControl.Refusal reason : AdmissionControl.Refusal.values()) {
            FunctionCounter
                    .builder("waybill.intake.refused", admission, counted -> counted.refused(reason))
                    .tag("reason", reason.name().toLowerCase(Locale.ROOT))
                    .register(meters);
        }
    }

    /** The request's body; the caller releases it. Fails with the problem to answer, where it can before anything is read. */
    public Uni<Body> read(HttpServerRequest request) {
        UUID workspace = caller.workspace();
        try {
            ContentCoding.parse(request.getHeader(HttpHeaders.CONTENT_ENCODING));
            long announced = announced(request);
            if (announced > maxSent) {
                throw tooLarge(maxSent, "has");
            }
            AdmissionControl.Admitted admitted = admission.enter(workspace, announced);
            return read(request, admitted)
                    .onFailure().invoke(admitted::leave)
                    .onCancellation().invoke(admitted::leave);
        } catch (ProblemException e) {
            BodyCollector.throwAway(request, 2L * maxSent);
            return Uni.createFrom().failure(e);
        }
    }

    private Uni<Body> read(HttpServerRequest request, AdmissionControl.Admitted admitted) {
        if (EXPECTED.equalsIgnoreCase(request.getHeader(HttpHeaders.EXPECT))) {
            request.response().writeContinue();
        }
        BodyBuffer sent = new BodyBuffer(admitted, maxSent, () -> tooLarge(maxSent, "has"));
        return Uni.createFrom()
                .<BodyBuffer> emitter(emitter -> new BodyCollector(request, sent, maxSent, emitter).start())
                .chain(whole -> unpack(request, admitted, whole));
    }

    private Uni<Body> unpack(HttpServerRequest request, AdmissionControl.Admitted admitted, BodyBuffer sent) {
        ContentCoding coding = ContentCoding.parse(request.getHeader(HttpHeaders.CONTENT_ENCODING));
        String contentType = request.getHeader(HttpHeaders.CONTENT_TYPE);
        if (coding == ContentCoding.IDENTITY) {
            return Uni.createFrom().item(new Body(sent, admitted, contentType));
        }
        BodyBuffer unpacked = new BodyBuffer(admitted, maxUnpacked, () -> tooLarge(maxUnpacked, "unpacks to"));
        return blocking
                .call(() -> {
                    coding.unpack(sent, unpacked);
                    return new Body(unpacked, admitted, contentType);
                })
                .onFailure().invoke(unpacked::release)
                .onCancellation().invoke(unpacked::release)
                .onTermination().invoke(sent::release);
    }

    private static long announced(HttpServerRequest request) {
        String length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
        return length != null && length.length() < 19 ? Long.parseLong(length) : 0;
    }

    private static ProblemException tooLarge(int limit, String verb) {
        return new ProblemException(CommonProblem.TOO_LARGE, "The body " + verb + " more than " + limit
                + " bytes; send fewer runs in one batch (GET /info announces the limits).")
                .with("limit_bytes", limit);
    }
}
