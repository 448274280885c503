package dev.waybill.runtime.run;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

import dev.waybill.common.logging.LogKeys;
import dev.waybill.runtime.event.EventLog;
import dev.waybill.runtime.storage.RunFence;
import dev.waybill.runtime.storage.RunStorage;
import dev.waybill.runtime.storage.RunStorage.EventChunk;
import io.smallrye.mutiny.Uni;
import io.vertx.core.buffer.Buffer;

/**
 * Stores the events of a run while clients of other replicas follow it: from the first retained event on, one write at a time.
 * A slow storage slows the run, as a slow client does. Ends when the attempt does; followers receive the result then.
 */
final class EventRelay {

    private static final Logger LOG = Logger.getLogger(EventRelay.class);
    private static final int MAX_CHUNK = 48 << 10;
    /** Larger events, such as values of large states, are left out: replicas read several chunks at once. */
    private static final int MAX_EVENT = 1 << 20;
    /** Maximum size of the stored events of a run. */
    private static final long MAX_STORED = 32L << 20;

    private final Run run;
    private final RunFence fence;
    private final Function<Function<RunStorage, Uni<Void>>, CompletionStage<Void>> storage;
    /** Wake-ups since the last write; at least one while a write is in progress. */
    private final AtomicInteger wakes = new AtomicInteger(1);
    private final CompletableFuture<Void> finished = new CompletableFuture<>();
    private volatile EventLog.@Nullable Cursor cursor;
    private volatile boolean finishing;
    private volatile boolean replaceable;
    /** Number of the event after the last stored one; 0 before the first is stored. */
    private volatile long next;
    private long stored;

    /**
     * @param storage repeats a write while the storage is unavailable
     * @param previous relay of the run before this one
     */
    EventRelay(Run run, RunFence fence, Function<Function<RunStorage, Uni<Void>>, CompletionStage<Void>> storage,
            @Nullable EventRelay previous) {
        this.run = run;
        this.fence = fence;
        this.storage = storage;
        if (previous != null && previous.fence.equals(fence)) {
            next = previous.next;
            stored = previous.stored;
        }
    }

    /** Continues after the stored events of the attempt; replaces the stored events if there are none of it or gaps. */
    void start() {
        Optional<EventLog.Cursor> continued = next > 0 ? run.log().open(next, this::wake) : Optional.empty();
        if (continued.isPresent()) {
            cursor = continued.get();
            store();
        } else {
            stored = 0;
            cursor = run.log().openAtStart(this::wake);
            discard();
        }
    }

    private void discard() {
        try {
            storage.apply(runs -> runs.discardEvents(fence)).whenComplete((ignored, failure) -> stored(0, failure));
        } catch (RuntimeException e) {
            failed(e);
        }
    }

    /** Returns whether the relay was paused, or has ended because its attempt has. */
    boolean isReplaceable() {
        return replaceable;
    }

    /** Stops because no client follows the run; another relay may continue. */
    void pause() {
        stop();
        replaceable = true;
    }

    /** Stops without storing further events. */
    private void stop() {
        EventLog.Cursor reader = cursor;
        cursor = null;
        try {
            if (reader != null) {
                run.releaseCredit(run.log().close(reader));
            }
        } finally {
            // The end of the run is stored after this.
            finished.complete(null);
        }
    }

    /** Completes when the events of the run so far are stored, or could not be. */
    CompletionStage<Void> finish() {
        finishing = true;
        wake();
        return finished;
    }

    private void wake() {
        if (wakes.getAndIncrement() == 0) {
            store();
        }
    }

    private void store() {
        try {
            storeNext();
        } catch (RuntimeException e) {
            failed(e);
        }
    }

    private void storeNext() {
        for (int seen = wakes.get();; seen = wakes.get()) {
            EventLog.Cursor reader = cursor;
            if (reader == null) {
                return;
            }
            boolean last = finishing;
            long first = reader.position();
            EventLog.Batch batch = run.log().poll(reader, MAX_CHUNK);
            run.releaseCredit(batch.released());
            if (batch.bytes().length() > 0) {
                store(new EventChunk(first, reader.position() - 1, withoutLarge(batch.bytes().getBytes())));
                return;
            }
            if (last) {
                stop();
                return;
            }
            if (wakes.addAndGet(-seen) == 0) {
                return;
            }
        }
    }

    /** Leaves out large events; each event ends with an empty line, and has no other. */
    private static byte[] withoutLarge(byte[] events) {
        if (events.length <= MAX_EVENT) {
            return events;
        }
        Buffer others = Buffer.buffer();
        int begin = 0;
        for (int at = 1; at < events.length; at++) {
            if (events[at] == '\n' && events[at - 1] == '\n') {
                int length = at + 1 - begin;
                if (length <= MAX_EVENT) {
                    others.appendBytes(events, begin, length);
                }
                begin = at + 1;
            }
        }
        return others.getBytes();
    }

    private void store(EventChunk chunk) {
        stored += chunk.events().length;
        if (stored > MAX_STORED) {
            stop();
        } else if (chunk.events().length == 0) {
            store();
        } else {
            storage.apply(runs -> runs.appendEvents(fence, List.of(chunk)))
                    .whenComplete((ignored, failure) -> stored(chunk.last() + 1, failure));
        }
    }

    private void stored(long upTo, @Nullable Throwable failure) {
        if (failure == null) {
            next = upTo;
            store();
        } else {
            failed(failure);
        }
    }

    private void failed(Throwable failure) {
        LOG.debugf("could not store events of a run for other replicas: %s=%s error=%s", LogKeys.RUN_ID, run.id(),
                failure.getMessage());
        pause();
    }
}
