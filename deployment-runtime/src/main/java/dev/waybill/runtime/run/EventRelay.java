package dev.waybill.runtime.run;

import java.util.List;
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

/**
 * Stores the events of a run while clients of other replicas follow it: from the first retained event on, one write at a time.
 * A slow storage slows the run, as a slow client does. Ends at the first failure; followers receive the result then.
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
    private volatile boolean failed;
    private long stored;

    EventRelay(Run run, RunFence fence, Function<Function<RunStorage, Uni<Void>>, CompletionStage<Void>> storage) {
        this.run = run;
        this.fence = fence;
        this.storage = storage;
    }

    /** Replaces the stored events, which may be those of an earlier attempt. */
    void start() {
        cursor = run.log().openAtStart(this::wake);
        storage.apply(runs -> runs.discardEvents(fence)).whenComplete(this::stored);
    }

    /** Returns whether the relay has ended because its attempt has, or the storage was unavailable. */
    boolean hasFailed() {
        return failed;
    }

    /** Stops without storing further events. */
    void stop() {
        EventLog.Cursor reader = cursor;
        cursor = null;
        if (reader != null) {
            run.releaseCredit(run.log().close(reader));
        }
        finished.complete(null);
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
                store(new EventChunk(first, reader.position() - 1, batch.bytes().getBytes()));
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

    private void store(EventChunk chunk) {
        stored += chunk.events().length;
        if (chunk.events().length > MAX_EVENT) {
            store();
        } else if (stored > MAX_STORED) {
            stop();
        } else {
            storage.apply(runs -> runs.appendEvents(fence, List.of(chunk))).whenComplete(this::stored);
        }
    }

    private void stored(Void ignored, @Nullable Throwable failure) {
        if (failure == null) {
            store();
        } else {
            LOG.debugf("could not store events of a run for other replicas: %s=%s error=%s", LogKeys.RUN_ID, run.id(),
                    failure.getMessage());
            stop();
            failed = true;
        }
    }
}
