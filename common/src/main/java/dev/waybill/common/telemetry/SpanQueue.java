package dev.waybill.common.telemetry;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

import org.jboss.logging.Logger;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;

/**
 * Buffers ended spans and exports them in batches on one thread. Ending a span never blocks: if the queue is full, the span is
 * dropped. The SDK's batch processor reports drops only in its own metrics, which the services do not export.
 */
final class SpanQueue implements SpanProcessor {

    static final String SPANS = "waybill.telemetry.spans";

    private static final Logger LOG = Logger.getLogger(SpanQueue.class);
    private static final int MAX_BATCH_SIZE = 512;
    /** Maximum time that a span waits for its batch. */
    private static final Duration EXPORT_INTERVAL = Duration.ofSeconds(1);
    /** Maximum duration of one export request, and of the final export at shutdown. */
    static final Duration EXPORT_TIMEOUT = Duration.ofSeconds(10);

    private final SpanExporter exporter;
    private final BlockingQueue<ReadableSpan> ended;
    private final Counter sent;
    private final Counter full;
    private final Counter failed;
    private final Thread sender;
    private volatile boolean closed;

    SpanQueue(SpanExporter exporter, TelemetryConfig config, MeterRegistry metrics) {
        this.exporter = exporter;
        this.ended = new ArrayBlockingQueue<>(config.maxQueueSize());
        this.sent = metrics.counter(SPANS, "outcome", "sent");
        this.full = metrics.counter(SPANS, "outcome", "full");
        this.failed = metrics.counter(SPANS, "outcome", "failed");
        this.sender = Thread.ofPlatform().daemon().name("telemetry").start(this::send);
    }

    @Override
    public void onEnd(ReadableSpan span) {
        if (span.getSpanContext().isSampled() && (closed || !ended.offer(span))) {
            full.increment();
        }
    }

    private void send() {
        try {
            while (true) {
                List<SpanData> batch = nextBatch();
                if (!batch.isEmpty()) {
                    export(batch);
                } else if (closed) {
                    return;
                }
            }
        } catch (InterruptedException e) {
            failed.increment(ended.size());
        }
    }

    /**
     * Returns the spans that end within one export interval, at most one batch; if the queue is closed, the remaining spans.
     */
    private List<SpanData> nextBatch() throws InterruptedException {
        List<SpanData> batch = new ArrayList<>();
        long end = System.nanoTime() + EXPORT_INTERVAL.toNanos();
        while (batch.size() < MAX_BATCH_SIZE) {
            ReadableSpan next = ended.poll(closed ? 0 : Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
            if (next == null) {
                break;
            }
            batch.add(next.toSpanData());
        }
        return batch;
    }

    private void export(List<SpanData> batch) {
        boolean exported = false;
        try {
            exported = exporter.export(batch).join(EXPORT_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS).isSuccess();
        } catch (RuntimeException e) {
            // Only this batch is lost; the thread continues with the next one.
            LOG.warnf(e, "spans could not be exported");
        }
        (exported ? sent : failed).increment(batch.size());
    }

    /** Exports the queued spans until the export timeout has passed; drops the rest. */
    @Override
    public CompletableResultCode shutdown() {
        closed = true;
        try {
            if (!sender.join(EXPORT_TIMEOUT)) {
                sender.interrupt();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return exporter.shutdown();
    }

    @Override
    public void onStart(Context parent, ReadWriteSpan span) {
        // Only ended spans are exported.
    }

    @Override
    public boolean isStartRequired() {
        return false;
    }

    @Override
    public boolean isEndRequired() {
        return true;
    }
}
