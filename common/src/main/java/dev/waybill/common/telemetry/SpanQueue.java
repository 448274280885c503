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
 * Spans that have ended and wait to be sent, by the one thread that ever waits for the collector. Who ends a span never waits:
 * there is room or it is dropped. The SDK's own processor counts what it drops in its own metrics, which nobody reads here.
 */
final class SpanQueue implements SpanProcessor {

    static final String SPANS = "waybill.telemetry.spans";

    private static final Logger LOG = Logger.getLogger(SpanQueue.class);
    private static final int MOST_AT_ONCE = 512;

    private final SpanExporter exporter;
    private final BlockingQueue<ReadableSpan> ended;
    private final Duration every;
    private final Duration timeout;
    private final Counter sent;
    private final Counter full;
    private final Counter failed;
    private final Thread sender;
    private volatile boolean closed;

    SpanQueue(SpanExporter exporter, TelemetryConfig config, MeterRegistry metrics) {
        this.exporter = exporter;
        this.ended = new ArrayBlockingQueue<>(config.queue());
        this.every = config.every();
        this.timeout = config.timeout();
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
                List<SpanData> batch = gather();
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

    /** What comes within a while, as much of it as is sent at once; of a closed queue what is there. */
    private List<SpanData> gather() throws InterruptedException {
        List<SpanData> batch = new ArrayList<>();
        long end = System.nanoTime() + every.toNanos();
        while (batch.size() < MOST_AT_ONCE) {
            ReadableSpan next = ended.poll(closed ? 0 : Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
            if (next == null) {
                break;
            }
            batch.add(next.toSpanData());
        }
        return batch;
    }

    private void export(List<SpanData> batch) {
        boolean taken = false;
        try {
            taken = exporter.export(batch).join(timeout.toMillis(), TimeUnit.MILLISECONDS).isSuccess();
        } catch (RuntimeException e) {
            // One batch is lost, and not all that come after it with their sender.
            LOG.warnf(e, "spans could not be sent");
        }
        (taken ? sent : failed).increment(batch.size());
    }

    /** Sends what waits, for as long as the collector may take; what has not gone by then is dropped. */
    @Override
    public CompletableResultCode shutdown() {
        closed = true;
        try {
            if (!sender.join(timeout)) {
                sender.interrupt();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return exporter.shutdown();
    }

    @Override
    public void onStart(Context parent, ReadWriteSpan span) {
        // Only what has ended is sent.
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
