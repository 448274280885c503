package dev.waybill.runtime.checkpoint;

import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import dev.waybill.runtime.protocol.RequestException;
import dev.waybill.runtime.protocol.RequestException.Code;
import dev.waybill.runtime.protocol.RequestParams.BlobPart;

/** Receives large messages of one run, one at a time, and reserves their memory. */
final class PartReceiver {

    /** A violation of the protocol by a worker that does not wait for the memory of its message. */
    static final String TOO_EARLY = "a part before the first one of its message was acknowledged";

    private final RequestMemory memory;
    private final int maxTotal;
    private @Nullable PartialMessage current;
    private @Nullable CompletableFuture<Boolean> reservation;
    private boolean closed;

    PartReceiver(RequestMemory memory, int maxTotal) {
        this.memory = memory;
        this.maxTotal = maxTotal;
    }

    /**
     * Receives a part. The first one of a message replaces an earlier message.
     *
     * @param acknowledged called with null when the part is stored, or with the failure
     * @return null, or the violation of the protocol
     */
    @Nullable
    String receive(BlobPart part, Consumer<@Nullable Throwable> acknowledged) {
        PartialMessage message;
        synchronized (this) {
            message = current;
            if (message != null && message.number() == part.message() && !message.isReserved()) {
                return TOO_EARLY;
            }
        }
        if (message == null || message.number() != part.message()) {
            begin(part, acknowledged);
        } else {
            append(message, part, acknowledged);
        }
        return null;
    }

    private void begin(BlobPart part, Consumer<@Nullable Throwable> acknowledged) {
        drop();
        if (part.total() > maxTotal) {
            throw new RequestException(Code.STATE_TOO_LARGE,
                    "The message has " + part.total() + " bytes; the limit is " + maxTotal + ".");
        }
        PartialMessage message = new PartialMessage(part.message(), part.total());
        synchronized (this) {
            current = message;
        }
        // Without the lock, because it may complete reservations of other runs.
        CompletableFuture<Boolean> reserved = memory.reserve(part.total());
        boolean ended;
        synchronized (this) {
            reservation = reserved;
            ended = closed;
        }
        if (ended) {
            reserved.complete(false);
        }
        reserved.thenAccept(granted -> {
            if (!granted) {
                forget(message);
                acknowledged.accept(RunExecutor.noMemory());
            } else if (keep(message)) {
                append(message, part, acknowledged);
            } else {
                memory.release(message.total());
                acknowledged.accept(new RequestException(Code.RUN_ENDED, "The message was replaced, or the run has ended."));
            }
        });
    }

    private void append(PartialMessage message, BlobPart part, Consumer<@Nullable Throwable> acknowledged) {
        RequestException failure = null;
        try {
            message.append(part.part(), part.size(), part.bytes());
        } catch (RequestException e) {
            failure = e;
        }
        acknowledged.accept(failure);
    }

    private synchronized boolean keep(PartialMessage message) {
        boolean keeps = current == message && !closed;
        if (keeps) {
            message.markReserved();
        }
        return keeps;
    }

    private synchronized void forget(PartialMessage message) {
        if (current == message) {
            current = null;
        }
    }

    /** Returns the message whose parts were received; null if there is none. */
    synchronized @Nullable PartialMessage current() {
        PartialMessage message = current;
        return message != null && message.isReserved() ? message : null;
    }

    /** Removes the message, whose memory now belongs to the caller. */
    synchronized void detach(PartialMessage message) {
        forget(message);
    }

    /** Accepts a detached message for a repeated request; returns false if another one was begun or the run has ended. */
    synchronized boolean restore(PartialMessage message) {
        boolean restored = current == null && !closed;
        if (restored) {
            current = message;
        }
        return restored;
    }

    /** Drops the message and releases its memory. */
    void drop() {
        PartialMessage dropped;
        CompletableFuture<Boolean> waiting;
        synchronized (this) {
            dropped = current;
            waiting = reservation;
            current = null;
            reservation = null;
        }
        if (dropped != null && dropped.isReserved()) {
            memory.release(dropped.total());
        } else if (waiting != null) {
            waiting.complete(false);
        }
    }

    /** Drops the message; later ones are not accepted. */
    void close() {
        synchronized (this) {
            closed = true;
        }
        drop();
    }
}
