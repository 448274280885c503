package dev.waybill.runtime.tracing;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;

import org.jboss.logging.Logger;

import dev.waybill.common.telemetry.SpanKeys;
import dev.waybill.common.telemetry.Telemetry;
import dev.waybill.common.telemetry.TraceParent;
import dev.waybill.runtime.tracing.TraceStore.Answer;
import io.micrometer.core.instrument.Counter;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;

/**
 * Takes traces out of the queue, writes them, and sends them in batches until the store has them or will not have them. Runs
 * on a thread of its own, the only one that waits for the store.
 */
final class Sender implements Runnable {

    /** What trace stores announce as their limits, and well below what they take once it is unpacked. */
    static final int MOST_ROWS = 100;
    static final int MOST_BYTES = 8 << 20;

    private static final Logger LOG = Logger.getLogger(Sender.class);

    private final TraceQueue queue;
    private final RowWriter writer;
    private final TraceStore store;
    private final Drops drops;
    private final TracingConfig config;
    private final Counter sent;
    private final Telemetry telemetry;
    private final Deque<Row> pending = new ArrayDeque<>();
    private boolean away;

    Sender(TraceQueue queue, RowWriter writer, TraceStore store, Drops drops, TracingConfig config, Tracing.Outside outside) {
        this.queue = queue;
        this.writer = writer;
        this.store = store;
        this.drops = drops;
        this.config = config;
        this.telemetry = outside.telemetry();
        this.sent = outside.metrics().counter("waybill.runtime.traces.sent");
    }

    @Override
    public void run() {
        try {
            while (gather()) {
                deliver(batch());
            }
        } catch (InterruptedException e) {
            // The runtime cannot wait any longer.
            dropAll();
        }
        drops.sayRest();
    }

    /** Waits for something to send, and a little for more of it; false when nothing comes any more. */
    private boolean gather() throws InterruptedException {
        if (pending.isEmpty()) {
            EndedTrace first = queue.take();
            if (first == null) {
                return false;
            }
            write(first);
        }
        long end = System.nanoTime() + config.every().toNanos();
        while (pending.size() < MOST_ROWS) {
            EndedTrace more = queue.takeBefore(end);
            if (more == null) {
                break;
            }
            write(more);
        }
        return true;
    }

    private void write(EndedTrace trace) {
        try {
            pending.addAll(writer.rows(trace));
        } catch (RuntimeException e) {
            LOG.warn("a trace could not be written", e);
            drops.note(Drops.Reason.INVALID, trace.rows());
            queue.release(trace.held());
        }
    }

    private List<Row> batch() {
        List<Row> batch = new ArrayList<>();
        long bytes = 0;
        while (!pending.isEmpty() && batch.size() < MOST_ROWS
                && (batch.isEmpty() || bytes + pending.peek().json().length <= MOST_BYTES)) {
            Row row = pending.remove();
            bytes += row.json().length;
            batch.add(row);
        }
        return batch;
    }

    /** A batch that is refused for what is in it is sent in halves, so that one bad run takes no other along. */
    private void deliver(List<Row> batch) throws InterruptedException {
        Deque<List<Row>> parts = new ArrayDeque<>();
        parts.push(batch);
        try {
            while (!parts.isEmpty()) {
                List<Row> part = parts.pop();
                // Back to where it is counted from when it cannot be sent.
                parts.push(part);
                Answer answer = part.isEmpty() ? new Answer.Taken() : send(part);
                parts.pop();
                if (answer instanceof Answer.Refused refused && refused.forItsContent() && part.size() > 1) {
                    parts.push(part.subList(part.size() / 2, part.size()));
                    parts.push(part.subList(0, part.size() / 2));
                } else {
                    settle(part, answer);
                }
            }
        } catch (InterruptedException e) {
            parts.forEach(pending::addAll);
            throw e;
        }
    }

    /** Sends it until the store says what becomes of it, or for as long as it may be tried. */
    private Answer send(List<Row> rows) throws InterruptedException {
        long end = System.nanoTime() + config.keepTrying().toNanos();
        for (int attempt = 1;; attempt++) {
            boolean last = queue.isClosed();
            Answer answer = post(rows);
            if (!(answer instanceof Answer.Later later)) {
                noteBack();
                return answer;
            }
            noteAway(later.reason());
            Duration pause = Pauses.after(attempt, later.pause(), ThreadLocalRandom.current());
            if (last || System.nanoTime() + pause.toNanos() > end) {
                return answer;
            }
            queue.pause(pause);
        }
    }

    /** One call; as a part of the trace of its first run, and linked to those of the others. */
    private Answer post(List<Row> rows) throws InterruptedException {
        if (!telemetry.isEnabled()) {
            return store.post(rows, null);
        }
        Span span = telemetry.startSharedSpan(rows.stream().map(Row::traceParent).distinct().toList(), "POST /runs/batch",
                SpanKind.CLIENT);
        try {
            Answer answer = store.post(rows, TraceParent.format(span.getSpanContext()));
            span.setAttribute(SpanKeys.OUTCOME, answer.getClass().getSimpleName().toLowerCase(Locale.ROOT));
            span.setAttribute(SpanKeys.ROWS, (long) rows.size());
            if (!(answer instanceof Answer.Taken)) {
                span.setStatus(StatusCode.ERROR);
            }
            return answer;
        } finally {
            span.end();
        }
    }

    private void settle(List<Row> rows, Answer answer) {
        switch (answer) {
            case Answer.Taken ignored -> sent.increment(rows.size());
            case Answer.Later ignored ->
                drops.note(queue.isClosed() ? Drops.Reason.SHUTDOWN : Drops.Reason.GIVEN_UP, rows.size());
            case Answer.Refused refused -> {
                LOG.debugf("the trace store refused runs: status=%d", refused.status());
                drops.note(Drops.Reason.REFUSED, rows.size());
            }
        }
        queue.release(rows.stream().mapToLong(Row::held).sum());
    }

    private void noteAway(String reason) {
        if (!away) {
            away = true;
            LOG.warnf("the trace store does not take runs for now, they wait: reason=%s", reason);
        }
    }

    private void noteBack() {
        if (away) {
            away = false;
            LOG.info("the trace store answers again");
        }
    }

    private void dropAll() {
        long rows = pending.size();
        pending.clear();
        for (EndedTrace left = queue.poll(); left != null; left = queue.poll()) {
            rows += left.rows();
        }
        drops.note(Drops.Reason.SHUTDOWN, rows);
    }
}
