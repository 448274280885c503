package dev.waybill.common.telemetry;

import java.time.Duration;
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
import io.opentelemetry.api.common.Attributes;
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
import io.opentelemetry.sdk.trace.data.LinkData;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import io.opentelemetry.sdk.trace.samplers.SamplingResult;
import io.quarkus.runtime.ShutdownEvent;
import io.smallrye.mutiny.Uni;

/**
 * Starts spans if a collector is configured. Otherwise it returns invalid spans, which ignore all calls, and does not load the
 * SDK. The current span is identified by the ids in the MDC, so that log lines and spans always agree.
 */
@Singleton
public class Telemetry {

    /** Maximum duration of one export request, and of the final export at shutdown. */
    static final Duration EXPORT_TIMEOUT = Duration.ofSeconds(10);
    /** Maximum number of spans that wait for export; further spans are dropped and counted. */
    static final int MAX_QUEUE_SIZE = 2048;
    /** Maximum time that a span waits for its batch. */
    private static final Duration EXPORT_INTERVAL = Duration.ofSeconds(1);
    private static final String SCOPE = "dev.waybill";

    private final @Nullable SdkTracerProvider provider;
    private final @Nullable Tracer tracer;

    @Inject
    Telemetry(TelemetryConfig config, TrustedAuthorities authorities, MeterRegistry metrics, Ids ids,
            @ConfigProperty(name = "quarkus.application.name") String service,
            @ConfigProperty(name = "quarkus.application.version") String version) {
        this(config.endpoint().isPresent()
                ? provider(config, OtlpExporter.from(config, authorities), metrics, resource(ids, service, version))
                : null);
    }

    Telemetry(@Nullable SdkTracerProvider provider) {
        this.provider = provider;
        this.tracer = provider == null ? null : provider.get(SCOPE);
    }

    /** Returns an instance that starts no spans, for objects created without CDI. */
    public static Telemetry disabled() {
        return new Telemetry(null);
    }

    static SdkTracerProvider provider(TelemetryConfig config, SpanExporter exporter, MeterRegistry metrics,
            Resource resource) {
        CountingSpanExporter counting = new CountingSpanExporter(exporter, metrics);
        return SdkTracerProvider.builder()
                .setResource(resource)
                .setSampler(Sampler.parentBased(new ParentLinkedSampler(Sampler.traceIdRatioBased(config.sampleRatio()))))
                .addSpanProcessor(BatchSpanProcessor.builder(counting)
                        .setMaxQueueSize(MAX_QUEUE_SIZE)
                        .setScheduleDelay(EXPORT_INTERVAL)
                        .setExporterTimeout(EXPORT_TIMEOUT)
                        .setMeterProvider(counting.droppedSpans())
                        .build())
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

    /** Returns whether a collector is configured. */
    public boolean isEnabled() {
        return tracer != null;
    }

    /** Starts a child of this thread's current span; returns an invalid span if there is none. */
    public Span startSpan(String name, SpanKind kind) {
        if (tracer == null) {
            return Span.getInvalid();
        }
        SpanContext current = current();
        return current.isValid() ? startSpan(tracer, name, kind, current) : Span.getInvalid();
    }

    /**
     * Starts a child of {@code parent}, which may belong to another service; starts a new trace if {@code parent} is invalid.
     */
    public Span startSpan(SpanContext parent, String name, SpanKind kind) {
        return tracer == null ? Span.getInvalid() : startSpan(tracer, name, kind, parent);
    }

    /**
     * Starts a trace for background work, linked to the request that caused it and recorded if that request was. A separate
     * trace keeps the request's trace short.
     *
     * @param traceParent the {@link #traceParent} of that request; null if unknown
     */
    public Span startLinkedSpan(String name, @Nullable String traceParent) {
        if (tracer == null) {
            return Span.getInvalid();
        }
        SpanContext cause = TraceParent.parse(traceParent);
        SpanBuilder span = tracer.spanBuilder(name).setSpanKind(SpanKind.INTERNAL).setNoParent();
        return (cause.isValid() ? span.addLink(cause) : span).startSpan();
    }

    /**
     * Starts one span for a call about several requests: a child of the first recorded one and linked to the others, so that it
     * is recorded if any of them is.
     *
     * @param traceParents the trace parents of the requests; unknown ones are ignored
     */
    public Span startSharedSpan(Collection<@Nullable String> traceParents, String name, SpanKind kind) {
        if (tracer == null) {
            return Span.getInvalid();
        }
        List<SpanContext> parents = traceParents.stream().map(TraceParent::parse).filter(SpanContext::isValid).toList();
        SpanContext first = parents.stream().filter(SpanContext::isSampled).findFirst()
                .or(() -> parents.stream().findFirst())
                .orElse(SpanContext.getInvalid());
        SpanBuilder span = tracer.spanBuilder(name).setSpanKind(kind);
        parents.stream().filter(parent -> parent != first).forEach(span::addLink);
        return in(span, first).startSpan();
    }

    /** Returns the trace parent of this thread's current span, to be stored for later work; null if there is none. */
    public @Nullable String traceParent() {
        return tracer == null ? null : TraceParent.format(current());
    }

    /** Returns the span's ids as a suffix for log lines written without an MDC; empty for an invalid span. */
    public static String ids(Span span) {
        SpanContext context = span.getSpanContext();
        return context.isValid()
                ? " " + LogKeys.TRACE_ID + "=" + context.getTraceId() + " " + LogKeys.SPAN_ID + "=" + context.getSpanId()
                : "";
    }

    /** Makes the span current: later log lines on this context carry its ids, and later spans are its children. */
    public static void makeCurrent(SpanContext span) {
        if (span.isValid()) {
            MDC.put(LogKeys.TRACE_ID, span.getTraceId());
            MDC.put(LogKeys.SPAN_ID, span.getSpanId());
            MDC.put(LogKeys.TRACE_FLAGS, span.getTraceFlags().asHex());
        }
    }

    /**
     * Runs {@code work} as the span: log lines and child spans of the work refer to it, and it ends with the work. Requires a
     * context of its own for the work ({@link dev.waybill.common.logging.LoggingContext} or a request).
     */
    public <T> Uni<T> inSpan(Span span, Supplier<Uni<T>> work) {
        if (!span.getSpanContext().isValid()) {
            return work.get();
        }
        SpanContext previous = current();
        return Uni.createFrom()
                .deferred(() -> {
                    makeCurrent(span.getSpanContext());
                    return work.get();
                })
                .onTermination().invoke((item, failure, cancelled) -> {
                    restore(previous);
                    end(span, failure, cancelled);
                });
    }

    private static void end(Span span, @Nullable Throwable failure, boolean cancelled) {
        if (failure != null) {
            // The message is omitted because it may contain customer data.
            span.setAttribute(SpanKeys.ERROR, failure.getClass().getName());
            span.setStatus(StatusCode.ERROR);
        } else if (cancelled) {
            span.setAttribute(SpanKeys.ERROR, "cancelled");
        }
        span.end();
    }

    private static void restore(SpanContext previous) {
        MDC.remove(LogKeys.TRACE_ID);
        MDC.remove(LogKeys.SPAN_ID);
        MDC.remove(LogKeys.TRACE_FLAGS);
        makeCurrent(previous);
    }

    private static SpanContext current() {
        Object trace = MDC.get(LogKeys.TRACE_ID);
        return trace == null ? SpanContext.getInvalid()
                : SpanContext.create(trace.toString(), String.valueOf(MDC.get(LogKeys.SPAN_ID)),
                        TraceFlags.fromHex(String.valueOf(MDC.get(LogKeys.TRACE_FLAGS)), 0), TraceState.getDefault());
    }

    private static Span startSpan(Tracer tracer, String name, SpanKind kind, SpanContext parent) {
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

    /**
     * Samples traces that start in this service: background work is recorded if the request that started it was,
     * other traces by
     * the sample ratio.
     */
    private record ParentLinkedSampler(Sampler others) implements Sampler {

        @Override
        public SamplingResult shouldSample(Context parent, String traceId, String name, SpanKind kind, Attributes attributes,
                List<LinkData> links) {
            if (links.isEmpty()) {
                return others.shouldSample(parent, traceId, name, kind, attributes, links);
            }
            return links.stream().anyMatch(link -> link.getSpanContext().isSampled())
                    ? SamplingResult.recordAndSample()
                    : SamplingResult.drop();
        }

        @Override
        public String getDescription() {
            return "LinkedSampler{" + others.getDescription() + "}";
        }
    }
}
