package dev.waybill.runtime.tracing;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;

import org.jboss.logging.Logger;

import dev.waybill.common.limit.Backoff;
import dev.waybill.common.telemetry.SpanKeys;
import dev.waybill.common.telemetry.Telemetry;
import dev.waybill.common.telemetry.TraceParent;
import dev.waybill.runtime.tracing.TraceQueue.CompletedTrace;
import dev.waybill.runtime.tracing.TraceRowWriter.TraceRow;
import dev.waybill.runtime.tracing.TraceStoreClient.Result;
import io.micrometer.core.instrument.Counter;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;

/**
 * Sends queued traces in batches until the store accepts or rejects them. Runs on its own thread, the only one that waits for
 * the
 * store.
 */
final class TraceSender implements Runnable {

    /** Limits of a batch: those that trace stores announce, and well below their limit for uncompressed bodies. */
    static final int MAX_ROWS = 100;
    static final int MAX_BYTES = 8 << 20;

    private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(500), Duration.ofSeconds(30));
    private static final Duration MAX_RETRY_AFTER = Duration.ofMinutes(5);
    private static final Logger LOG = Logger.getLogger(TraceSender.class);

    private final TraceQueue queue;
    private final TraceRowWriter writer;
    private final TraceStoreClient store;
    private final DroppedTraces dropped;
    private final Duration maxBatchDelay;
    private final Duration retryTimeout;
    private final Counter sent;
    private final Telemetry telemetry;
    private final Deque<TraceRow> pending = new ArrayDeque<>();
    private boolean unavailable;

    TraceSender(TraceQueue queue, TraceRowWriter writer, TraceStoreClient store, DroppedTraces dropped,
            Duration maxBatchDelay, Duration retryTimeout, Tracing.Dependencies dependencies) {
        this.queue = queue;
        this.writer = writer;
        this.store = store;
        this.dropped = dropped;
        this.maxBatchDelay = maxBatchDelay;
        this.retryTimeout = retryTimeout;
        this.telemetry = dependencies.telemetry();
        this.sent = dependencies.metrics().counter("waybill.runtime.traces.sent");
    }

    @Override
    public void run() {
        try {
            while (collect()) {
                deliver(batch());
            }
        } catch (InterruptedException e) {
            // The flush timeout of the shutdown has expired.
            dropAll();
        }
        dropped.logRemaining();
    }

    /** Waits for a trace, and up to the maximum batch delay for more; returns false when the queue is closed and empty. */
    private boolean collect() throws InterruptedException {
        if (pending.isEmpty()) {
            CompletedTrace first = queue.take();
            if (first == null) {
                return false;
            }
            write(first);
        }
        long end = System.nanoTime() + maxBatchDelay.toNanos();
        while (pending.size() < MAX_ROWS) {
            CompletedTrace next = queue.pollUntil(end);
            if (next == null) {
                break;
            }
            write(next);
        }
        return true;
    }

    private void write(CompletedTrace trace) {
        try {
            pending.addAll(writer.rows(trace));
        } catch (RuntimeException e) {
            LOG.warn("could not write a trace", e);
            dropped.count(DroppedTraces.Reason.INVALID, trace.rowCount());
            queue.release(trace.reservedBytes());
        }
    }

    private List<TraceRow> batch() {
        List<TraceRow> batch = new ArrayList<>();
        long bytes = 0;
        while (!pending.isEmpty() && batch.size() < MAX_ROWS
                && (batch.isEmpty() || bytes + pending.peek().json().length <= MAX_BYTES)) {
            TraceRow row = pending.remove();
            bytes += row.json().length;
            batch.add(row);
        }
        return batch;
    }

    /** Sends a batch; one that is rejected for its content is split, so that an invalid run only drops itself. */
    private void deliver(List<TraceRow> batch) throws InterruptedException {
        Deque<List<TraceRow>> parts = new ArrayDeque<>();
        parts.push(batch);
        try {
            while (!parts.isEmpty()) {
                List<TraceRow> part = parts.pop();
                // Stays in the stack while it is sent, so that it is counted if the thread is interrupted.
                parts.push(part);
                Result result = part.isEmpty() ? new Result.Accepted() : send(part);
                parts.pop();
                if (result instanceof Result.Rejected rejected && rejected.splittable() && part.size() > 1) {
                    parts.push(part.subList(part.size() / 2, part.size()));
                    parts.push(part.subList(0, part.size() / 2));
                } else {
                    complete(part, result);
                }
            }
        } catch (InterruptedException e) {
            parts.forEach(pending::addAll);
            throw e;
        }
    }

    /** Sends rows, with retries until the retry timeout. */
    private Result send(List<TraceRow> rows) throws InterruptedException {
        long end = System.nanoTime() + retryTimeout.toNanos();
        for (int attempt = 1;; attempt++) {
            boolean last = queue.isClosed();
            Result result = post(rows);
            if (!(result instanceof Result.Retry retry)) {
                logRecovery();
                return result;
            }
            logUnavailable(retry.reason());
            Duration delay = delay(attempt, retry.delay(), ThreadLocalRandom.current().nextDouble());
            if (last || System.nanoTime() + delay.toNanos() > end) {
                return result;
            }
            queue.sleep(delay);
        }
    }

    /** Returns the delay of the backoff, or that of the store's {@code Retry-After} if it is longer. */
    static Duration delay(int attempt, Duration retryAfter, double random) {
        Duration backoff = BACKOFF.delay(attempt, random);
        Duration requested = retryAfter.compareTo(MAX_RETRY_AFTER) < 0 ? retryAfter : MAX_RETRY_AFTER;
        return backoff.compareTo(requested) < 0 ? requested : backoff;
    }

    /** Sends one request, in a span of the first run's trace with links to the traces of the others. */
    private Result post(List<TraceRow> rows) throws InterruptedException {
        if (!telemetry.isEnabled()) {
            return store.post(rows, null);
        }
        Span span = telemetry.startSharedSpan(rows.stream().map(TraceRow::traceParent).distinct().toList(), "POST /runs/batch",
                SpanKind.CLIENT);
        try {
            Result result = store.post(rows, TraceParent.format(span.getSpanContext()));
            span.setAttribute(SpanKeys.OUTCOME, result.getClass().getSimpleName().toLowerCase(Locale.ROOT));
            span.setAttribute(SpanKeys.ROWS, (long) rows.size());
            if (!(result instanceof Result.Accepted)) {
                span.setStatus(StatusCode.ERROR);
            }
            return result;
        } finally {
            span.end();
        }
    }

    private void complete(List<TraceRow> rows, Result result) {
        switch (result) {
            case Result.Accepted ignored -> sent.increment(rows.size());
            case Result.Retry ignored ->
                dropped.count(queue.isClosed() ? DroppedTraces.Reason.SHUTDOWN : DroppedTraces.Reason.GIVEN_UP, rows.size());
            case Result.Rejected rejected -> {
                LOG.debugf("the trace store rejected runs: status=%s", rejected.status());
                dropped.count(DroppedTraces.Reason.REFUSED, rows.size());
            }
        }
        queue.release(rows.stream().mapToLong(TraceRow::reservedBytes).sum());
    }

    private void logUnavailable(String reason) {
        if (!unavailable) {
            unavailable = true;
            LOG.warnf("the trace store is unavailable, traces are queued: reason=%s", reason);
        }
    }

    private void logRecovery() {
        if (unavailable) {
            unavailable = false;
            LOG.info("the trace store is available again");
        }
    }

    private void dropAll() {
        long rows = pending.size();
        pending.clear();
        for (CompletedTrace trace = queue.poll(); trace != null; trace = queue.poll()) {
            rows += trace.rowCount();
        }
        dropped.count(DroppedTraces.Reason.SHUTDOWN, rows);
    }
}
