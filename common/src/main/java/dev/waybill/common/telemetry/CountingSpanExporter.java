package dev.waybill.common.telemetry;

import java.util.Collection;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.metrics.InstrumentType;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.data.AggregationTemporality;
import io.opentelemetry.sdk.metrics.export.CollectionRegistration;
import io.opentelemetry.sdk.metrics.export.MetricReader;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;

/**
 * Exports spans and counts them by outcome in Micrometer. The batch processor reports the spans that it drops only to a meter
 * provider of the SDK, which {@link #droppedSpans} supplies.
 */
final class CountingSpanExporter implements SpanExporter {

    static final String SPANS = "waybill.telemetry.spans";

    private final SpanExporter exporter;
    private final Counter sent;
    private final Counter failed;
    private final SdkMeterProvider droppedSpans;

    CountingSpanExporter(SpanExporter exporter, MeterRegistry metrics) {
        DroppedSpans dropped = new DroppedSpans();
        this.exporter = exporter;
        this.sent = metrics.counter(SPANS, "outcome", "sent");
        this.failed = metrics.counter(SPANS, "outcome", "failed");
        this.droppedSpans = SdkMeterProvider.builder().registerMetricReader(dropped).build();
        FunctionCounter.builder(SPANS, dropped, DroppedSpans::count).tag("outcome", "full").register(metrics);
    }

    /** Returns the meter provider for the batch processor in front of this exporter. */
    SdkMeterProvider droppedSpans() {
        return droppedSpans;
    }

    @Override
    public CompletableResultCode export(Collection<SpanData> batch) {
        // The processor reuses the collection.
        int size = batch.size();
        try {
            CompletableResultCode result = exporter.export(batch);
            return result.whenComplete(() -> (result.isSuccess() ? sent : failed).increment(size));
        } catch (RuntimeException e) {
            failed.increment(size);
            throw e;
        }
    }

    @Override
    public CompletableResultCode flush() {
        return exporter.flush();
    }

    @Override
    public CompletableResultCode shutdown() {
        return exporter.shutdown();
    }

    /** Reads the number of dropped spans from the metrics of the batch processor. */
    private static final class DroppedSpans implements MetricReader {

        private static final String PROCESSED = "processedSpans";
        private static final AttributeKey<Boolean> DROPPED = AttributeKey.booleanKey("dropped");

        private volatile CollectionRegistration metrics = CollectionRegistration.noop();

        double count() {
            return metrics.collectAllMetrics().stream()
                    .filter(metric -> metric.getName().equals(PROCESSED))
                    .flatMap(metric -> metric.getLongSumData().getPoints().stream())
                    .filter(point -> Boolean.TRUE.equals(point.getAttributes().get(DROPPED)))
                    .mapToLong(point -> point.getValue())
                    .sum();
        }

        @Override
        public void register(CollectionRegistration registration) {
            metrics = registration;
        }

        @Override
        public AggregationTemporality getAggregationTemporality(InstrumentType type) {
            return AggregationTemporality.CUMULATIVE;
        }

        @Override
        public CompletableResultCode forceFlush() {
            return CompletableResultCode.ofSuccess();
        }

        @Override
        public CompletableResultCode shutdown() {
            return CompletableResultCode.ofSuccess();
        }
    }
}
