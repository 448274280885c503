package dev.waybill.experiment.otlp;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.reactive.Blocking;
import dev.waybill.experiment.intake.IntakeService;
import dev.waybill.experiment.json.Bytes;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.Startup;
import io.smallrye.mutiny.Uni;

/** Stores spans: the valid ones in one transaction; the response lists the others. */
@Singleton
@Startup // registers its meters at start
class OtlpService {

    private static final int MAX_REASONS = 3;
    // Each run stores its span's resource and scope, so a small body may expand to any size.
    private static final long MIN_SIZE_LIMIT = 8 << 20;
    private static final int MAX_EXPANSION = 4;

    private final Blocking blocking;
    private final SpanMapper mapper;
    private final SpanTreeUpdater treeUpdater;
    private final IntakeService intake;
    private final Counter stored;
    private final Counter rejected;

    OtlpService(Blocking blocking, SpanMapper mapper, SpanTreeUpdater treeUpdater, IntakeService intake,
            MeterRegistry meters) {
        this.blocking = blocking;
        this.mapper = mapper;
        this.treeUpdater = treeUpdater;
        this.intake = intake;
        this.stored = meters.counter("waybill.otlp.spans", "outcome", "stored");
        this.rejected = meters.counter("waybill.otlp.spans", "outcome", "rejected");
    }

    /** Stores the spans of {@code body}; {@code project} is the session for spans without one. */
    Uni<ExportResult> export(UUID tenantId, OtlpEncoding encoding, Bytes body, @Nullable String project) {
        return blocking.call(() -> read(encoding, body, project))
                .call(result -> result.spans().isEmpty()
                        ? Uni.createFrom().voidItem()
                        : intake.store(tenantId, result.spans().stream().map(SpanMapper.MappedSpan::run).toList(),
                                connection -> treeUpdater.update(connection, tenantId, result.spans())))
                .invoke(result -> {
                    stored.increment(result.spans().size());
                    rejected.increment(result.rejected());
                });
    }

    private ExportResult read(OtlpEncoding encoding, Bytes body, @Nullable String project) {
        List<Span> parsed = encoding.read(body, new SpanLimits());
        Map<UUID, SpanMapper.MappedSpan> spans = new LinkedHashMap<>();
        List<String> reasons = new ArrayList<>();
        int rejectedSpans = 0;
        long remaining = MIN_SIZE_LIMIT + (long) MAX_EXPANSION * body.length();
        for (int i = 0; i < parsed.size(); i++) {
            try {
                SpanMapper.MappedSpan span = mapper.map(parsed.get(i), project);
                spans.putIfAbsent(span.node().id(), span);
                remaining -= span.run().size();
            } catch (ProblemException e) {
                if (rejectedSpans++ < MAX_REASONS) {
                    reasons.add("spans[" + i + "] " + e.getMessage());
                }
            }
            if (remaining < 0) {
                throw new ProblemException(CommonProblem.TOO_LARGE,
                        "The attributes of the resource and the scope are stored with each"
                                + " span and are too large together; export fewer spans per request or use smaller resources.");
            }
        }
        return new ExportResult(List.copyOf(spans.values()), rejectedSpans, reasons);
    }

    /**
     * The result of mapping one request's spans.
     *
     * @param spans the spans that can be stored, without duplicates
     * @param rejected the number of rejected spans
     * @param reasons the reasons of the first rejections
     */
    record ExportResult(List<SpanMapper.MappedSpan> spans, int rejected, List<String> reasons) {

        /** Returns the error message for the exporter; empty if no span was rejected. */
        String message() {
            return rejected == 0 ? ""
                    : rejected + " spans were not stored: " + String.join(" ", reasons)
                            + (rejected > reasons.size() ? " And " + (rejected - reasons.size()) + " more." : "");
        }
    }
}
