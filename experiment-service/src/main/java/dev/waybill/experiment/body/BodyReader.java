package dev.waybill.experiment.body;

import jakarta.inject.Singleton;

import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.reactive.Blocking;
import io.micrometer.core.instrument.MeterRegistry;
import io.smallrye.mutiny.Uni;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;

/**
 * Takes in large bodies, chunked or not, packed or not (contract.md "Trace intake"). A body that is too large is answered
 * 413, one that finds no memory 429; nothing is unpacked on the event loop.
 */
@Singleton
public class BodyReader {

    private final Blocking blocking;
    private final ByteBudget budget;
    private final int maxSent;
    private final int maxUnpacked;

    BodyReader(Blocking blocking, BodyConfig config, MeterRegistry meters) {
        this.blocking = blocking;
        this.budget = new ByteBudget(config.memory().asLongValue());
        meters.gauge("waybill.intake.memory.used", budget, ByteBudget::used);
        this.maxSent = Math.toIntExact(config.maxBodySize().asLongValue());
        this.maxUnpacked = Math.toIntExact(config.maxUnpackedSize().asLongValue());
    }

    /** The request's body; the caller releases it. Fails with the problem to answer. */
    public Uni<Body> read(HttpServerRequest request) {
        return Uni.createFrom()
                .<GrowingBytes> emitter(emitter -> new BodyCollector(request, sent(request), maxSent, emitter).start())
                .chain(sent -> unpack(request, sent));
    }

    private Uni<Body> unpack(HttpServerRequest request, GrowingBytes sent) {
        ContentCoding coding = ContentCoding.parse(request.getHeader(HttpHeaders.CONTENT_ENCODING));
        String contentType = request.getHeader(HttpHeaders.CONTENT_TYPE);
        if (coding == ContentCoding.IDENTITY) {
            return Uni.createFrom().item(new Body(sent, contentType));
        }
        GrowingBytes unpacked = new GrowingBytes(budget, maxUnpacked, () -> tooLarge(maxUnpacked, "unpacks to"));
        return blocking
                .call(() -> {
                    coding.unpack(sent, unpacked);
                    return new Body(unpacked, contentType);
                })
                .onFailure().invoke(unpacked::release)
                .onCancellation().invoke(unpacked::release)
                .onTermination().invoke(sent::release);
    }

    private GrowingBytes sent(HttpServerRequest request) {
        ContentCoding.parse(request.getHeader(HttpHeaders.CONTENT_ENCODING));
        return new GrowingBytes(budget, maxSent, () -> tooLarge(maxSent, "has"));
    }

    private static ProblemException tooLarge(int limit, String verb) {
        return new ProblemException(CommonProblem.TOO_LARGE, "The body " + verb + " more than " + limit
                + " bytes; send fewer runs in one batch (GET /info announces the limits).")
                .with("limit_bytes", limit);
    }
}
