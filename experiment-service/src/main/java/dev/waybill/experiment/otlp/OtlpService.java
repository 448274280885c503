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
import dev.waybill.experiment.body.Bytes;
import dev.waybill.experiment.intake.IntakeService;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.Startup;
import io.smallrye.mutiny.Uni;

/** Takes spans in: what can be a run is stored, all of it or nothing, and the rest is told to the exporter. */
@Singleton
@Startup // its meters have to be there before they count
class OtlpService {

    private static final int TOLD_REASONS = 3;
    // What spans share is kept with each of them, so a small body may stand for any amount.
    private static final long ALWAYS_ROOM_FOR = 8 << 20;
    private static final int TIMES_THE_BODY = 4;

    private final Blocking blocking;
    private final SpanMapper mapper;
    private final SpanTreeUpdater places;
    private final IntakeService intake;
    private final OtlpConfig config;
    private final Counter stored;
    private final Counter rejected;

    OtlpService(Blocking blocking, SpanMapper mapper, SpanTreeUpdater places, IntakeService intake, OtlpConfig config,
            MeterRegistry meters) {
        this.blocking = blocking;
        this.mapper = mapper;
        this.places = places;
        this.intake = intake;
        this.config = config;
        this.stored = meters.counter("waybill.otlp.spans", "outcome", "stored");
        this.rejected = meters.counter("waybill.otlp.spans", "outcome", "rejected");
    }

    /** Stores the spans of {@code body}; {@code project} is the session of those that name none. */
    Uni<ExportResult> export(UUID tenantId, OtlpEncoding encoding, Bytes body, @Nullable String project) {
        return blocking.call(() -> read(encoding, body, project))
                .call(export -> export.spans().isEmpty()
                        ? Uni.createFrom().voidItem()
                        : intake.store(tenantId, export.spans().stream().map(MappedSpan::run).toList(),
                                connection -> places.place(connection, tenantId, export.spans())))
                .invoke(export -> {
                    stored.increment(export.spans().size());
                    rejected.increment(export.rejected());
                });
    }

    private ExportResult read(OtlpEncoding encoding, Bytes body, @Nullable String project) {
        List<Span> came = encoding.read(body, new SpanLimits(config.maxSpans(), config.maxValues()));
        Map<UUID, MappedSpan> spans = new LinkedHashMap<>();
        List<String> reasons = new ArrayList<>();
        int refused = 0;
        long room = ALWAYS_ROOM_FOR + (long) TIMES_THE_BODY * body.length();
        for (int i = 0; i < came.size(); i++) {
            try {
                MappedSpan span = mapper.map(came.get(i), project);
                spans.putIfAbsent(span.node().id(), span);
                room -= span.run().size();
            } catch (ProblemException e) {
                if (refused++ < TOLD_REASONS) {
                    reasons.add("spans[" + i + "] " + e.getMessage());
                }
            }
            if (room < 0) {
                throw new ProblemException(CommonProblem.TOO_LARGE,
                        "The attributes of the resource and the scope are kept with each"
                                + " span, and together that is too much; export fewer spans at once, or with smaller resources.");
            }
        }
        return new ExportResult(List.copyOf(spans.values()), refused, reasons);
    }
}
