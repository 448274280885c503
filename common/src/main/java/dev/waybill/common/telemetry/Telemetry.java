package dev.waybill.common.telemetry;

import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;

import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.MDC;
import org.jspecify.annotations.Nullable;

import dev.waybill.common.id.Ids;
import dev.waybill.common.logging.LogKeys;
import dev.waybill.common.net.TrustedAuthorities;
import io.micrometer.core.instrument.MeterRegistry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import io.quarkus.runtime.ShutdownEvent;
import io.smallrye.mutiny.Uni;

/**
 * Begins spans, where a collector is configured. Else it begins none: what it gives then takes everything and does nothing, and
 * nothing of the SDK is loaded. What is under way is known by the ids that its log lines carry, so spans and lines cannot
 * disagree.
 */
@Singleton
public class Telemetry {

    private static final String SCOPE = "dev.waybill";

    private final @Nullable SdkTracerProvider provider;
    private final @Nullable Tracer tracer;

    @Inject
    Telemetry(TelemetryConfig config, TrustedAuthorities authorities, MeterRegistry metrics, Ids ids,
            @ConfigProperty(name = "quarkus.application.name") String service,
            @ConfigProperty(name = "quarkus.application.version") String version) {
        this(config.endpoint().isPresent()
                ? provider(config, Collector.at(config, authorities), metrics, resource(ids, service, version))
                : null);
    }

    Telemetry(@Nullable SdkTracerProvider provider) {
        this.provider = provider;
        this.tracer = provider == null ? null : provider.get(SCOPE);
    }

    /** One that begins nothing, for what is made without CDI. */
    public static Telemetry off() {
        return new Telemetry(null);
    }

    static SdkTracerProvider provider(TelemetryConfig config, SpanExporter exporter, MeterRegistry metrics,
            Resource resource) {
        return SdkTracerProvider.builder()
                .setResource(resource)
                .setSampler(Sampler.parentBased(new ParentLinkedSampler(Sampler.traceIdRatioBased(config.sampleRatio()))))
                .addSpanProcessor(new SpanQueue(exporter, config, metrics))
                .build();
    }

    private static Resource resource(Ids ids, String service, String version) {
        return Resource.builder()
                .put("service.namespace", "waybill")
                .put("service.name", service)
                .put("service.version", version)
                .put("service.instance.id", ids.newId().toString())
                .build();
    }

    /** Whether there is a collector. */
    public boolean isOn() {
        return tracer != null;
    }

    /** A part of what is under way on this thread; nothing where nothing is. */
    public Span begin(String name, SpanKind kind) {
        if (tracer == null) {
            return Span.getInvalid();
        }
        SpanContext current = current();
        return current.isValid() ? begin(tracer, name, kind, current) : Span.getInvalid();
    }

    /** A part of what is under way there, be it in another service; a trace of its own where that is nowhere. */
    public Span beginIn(SpanContext parent, String name, SpanKind kind) {
        return tracer == null ? Span.getInvalid() : begin(tracer, name, kind, parent);
    }

    /**
     * Work in the background: a trace of its own, which is linked to the request that ordered it and recorded when that was, so
     * that traces do not go on for hours.
     *
     * @param traceParent what {@link #traceParent} was then; null when nobody knows
     */
    public Span beginLinked(String name, @Nullable String traceParent) {
        if (tracer == null) {
            return Span.getInvalid();
        }
        SpanContext order = TraceParent.parse(traceParent);
        SpanBuilder span = tracer.spanBuilder(name).setSpanKind(SpanKind.INTERNAL).setNoParent();
        return (order.isValid() ? span.addLink(order) : span).startSpan();
    }

    /**
     * One call about several things: a part of what the first that is recorded belongs to, and linked to the others. So it is
     * recorded when one of them is.
     *
     * @param parts the traces of each; those that are not known are left out
     */
    public Span beginFor(Collection<@Nullable String> parts, String name, SpanKind kind) {
        if (tracer == null) {
            return Span.getInvalid();
        }
        List<SpanContext> places = parts.stream().map(TraceParent::parse).filter(SpanContext::isValid).toList();
        SpanContext first = places.stream().filter(SpanContext::isSampled).findFirst()
                .or(() -> places.stream().findFirst())
                .orElse(SpanContext.getInvalid());
        SpanBuilder span = tracer.spanBuilder(name).setSpanKind(kind);
        places.stream().filter(place -> place != first).forEach(span::addLink);
        return in(span, first).startSpan();
    }

    /** Where the work of this thread is in its trace, for a row that has other work done later; null when it is in none. */
    public @Nullable String traceParent() {
        return tracer == null ? null : TraceParent.format(current());
    }

    /** The span's ids for the end of a line that is written where no context carries them; nothing for none. */
    public static String ids(Span span) {
        SpanContext place = span.getSpanContext();
        return place.isValid()
                ? " " + LogKeys.TRACE_ID + "=" + place.getTraceId() + " " + LogKeys.SPAN_ID + "=" + place.getSpanId()
                : "";
    }

    /** From here on log lines carry the span's ids, and what is begun is a part of it. */
    public static void enter(SpanContext span) {
        if (span.isValid()) {
            MDC.put(LogKeys.TRACE_ID, span.getTraceId());
            MDC.put(LogKeys.SPAN_ID, span.getSpanId());
            MDC.put(LogKeys.TRACE_FLAGS, span.getTraceFlags().asHex());
        }
    }

    /**
     * The work as that span: what is begun meanwhile is a part of it, its lines carry its ids, and it ends with the work. For
     * work
     * in a context of its own ({@link dev.waybill.common.logging.LoggingContext}, a request).
     */
    public <T> Uni<T> as(Span span, Supplier<Uni<T>> work) {
        if (!span.getSpanContext().isValid()) {
            return work.get();
        }
        SpanContext around = current();
        return Uni.createFrom()
                .deferred(() -> {
                    enter(span.getSpanContext());
                    return work.get();
                })
                .onTermination().invoke((item, failure, cancelled) -> {
                    leaveFor(around);
                    end(span, failure, cancelled);
                });
    }

    private static void end(Span span, @Nullable Throwable failure, boolean cancelled) {
        if (failure != null) {
            // Not its message, which may hold what a customer gave.
            span.setAttribute(SpanKeys.ERROR, failure.getClass().getName());
            span.setStatus(StatusCode.ERROR);
        } else if (cancelled) {
            span.setAttribute(SpanKeys.ERROR, "cancelled");
        }
        span.end();
    }

    private static void leaveFor(SpanContext around) {
        MDC.remove(LogKeys.TRACE_ID);
        MDC.remove(LogKeys.SPAN_ID);
        MDC.remove(LogKeys.TRACE_FLAGS);
        enter(around);
    }

    private static SpanContext current() {
        Object trace = MDC.get(LogKeys.TRACE_ID);
        return trace == null ? SpanContext.getInvalid()
                : SpanContext.create(trace.toString(), String.valueOf(MDC.get(LogKeys.SPAN_ID)),
                        TraceFlags.fromHex(String.valueOf(MDC.get(LogKeys.TRACE_FLAGS)), 0), TraceState.getDefault());
    }

    private static Span begin(Tracer tracer, String name, SpanKind kind, SpanContext parent) {
        return in(tracer.spanBuilder(name).setSpanKind(kind), parent).startSpan();
    }

    private static SpanBuilder in(SpanBuilder span, SpanContext parent) {
        return parent.isValid() ? span.setParent(Context.root().with(Span.wrap(parent))) : span.setNoParent();
    }

    void stop(@Observes ShutdownEvent stopping) {
        if (provider != null) {
            provider.close();
        }
    }
}
