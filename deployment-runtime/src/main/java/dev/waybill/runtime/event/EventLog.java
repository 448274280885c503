package dev.waybill.runtime.event;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

import io.vertx.core.buffer.Buffer;

/**
 * Buffer of a run's events, numbered consecutively, between its worker and its readers. Events that all readers have read are
 * discarded;
 * a resumable run retains the latest up to a size. The worker's credit for an event is released when the slowest reader has
 * read
 * it, so that a slow client only slows its own run and the buffer stays small.
 */
public final class EventLog {

    /** Distance between the first numbers of the attempts of a run on different replicas: ids of events must not repeat. */
    public static final long ATTEMPT_NUMBERS = 100_000;

    /** Begins the line of an event with the name of its checkpoint. */
    public static final String CHECKPOINT = ": checkpoint ";

    private static final byte[] NO_COMMENT = {};
    private static final Frame[] NO_FRAMES = {};
    /** Size of unread events from which on superseded events are dropped. */
    private static final int MAX_SUPERSEDED_BYTES = 256 << 10;

    private final byte[] run;
    private final long begin;
    private final long retainedBytes;
    private final LongSupplier time;
    private final List<Cursor> cursors = new CopyOnWriteArrayList<>();
    /** Number of the latest event of each subject, which the next one of that subject supersedes. */
    private final Map<String, Long> latestBySubject = new HashMap<>();
    private Frame[] frames = new Frame[16];
    private long first;
    private long consumed;
    private long next;
    private long bytes;
    private @Nullable Frame last;

    /** Creates a log that does not note the times of events. */
    public EventLog(String run, long retainedBytes) {
        this(run, 1, retainedBytes, () -> 0);
    }

    /**
     * @param attempt first attempt of the run on this replica, from 1
     * @param retainedBytes maximum size of read events to retain for later readers; 0 for none
     * @param time current time, in milliseconds, which is noted for retained events
     */
    public EventLog(String run, int attempt, long retainedBytes, LongSupplier time) {
        this.run = run.getBytes(StandardCharsets.US_ASCII);
        this.begin = (attempt - 1) * ATTEMPT_NUMBERS;
        this.first = begin;
        this.consumed = begin;
        this.next = begin;
        this.retainedBytes = retainedBytes;
        this.time = time;
    }

    /** Position of a reader. */
    public static final class Cursor {

        private final Runnable wake;
        private final boolean observes;
        private long position;
        private long millis;

        private Cursor(long position, Runnable wake, boolean observes) {
            this.position = position;
            this.wake = wake;
            this.observes = observes;
        }

        /** Returns the time of the last event that was read, in milliseconds; 0 if unknown. Only for the reader itself. */
        public long millis() {
            return millis;
        }

        /** Returns the number of the next event; only for the reader itself. */
        public long position() {
            return position;
        }
    }

    /**
     * Events for a reader.
     *
     * @param released credit to release to the worker
     * @param finished whether these include the last event
     */
    public record Batch(Buffer bytes, int released, boolean finished) {
    }

    /**
     * Appends an event unless the last event was appended. Readers are notified separately by {@link #notifyReaders}, once for
     * any number of events.
     *
     * @return credit to release immediately
     */
    public synchronized int append(String event, byte[] data, int cost, boolean isLast) {
        return append(event, data, NO_COMMENT, cost, isLast);
    }

    /**
     * Appends an event as {@link #append(String, byte[], int, boolean)} does, with the name of its checkpoint as a comment,
     * which clients of server-sent events ignore.
     *
     * @return credit to release immediately
     */
    public synchronized int append(String event, byte[] data, byte[] checkpoint, int cost) {
        return append(event, data, commentOf(checkpoint), cost, false);
    }

    private static byte[] commentOf(byte[] checkpoint) {
        byte[] prefix = CHECKPOINT.getBytes(StandardCharsets.US_ASCII);
        byte[] comment = new byte[1 + prefix.length + checkpoint.length];
        comment[0] = '\n';
        System.arraycopy(prefix, 0, comment, 1, prefix.length);
        System.arraycopy(checkpoint, 0, comment, 1 + prefix.length, checkpoint.length);
        return comment;
    }

    private int append(String event, byte[] data, byte[] comment, int cost, boolean isLast) {
        if (last != null) {
            return cost;
        }
        Frame frame = Frame.of(run, next, event, data, comment, cost, retainedBytes > 0 ? time.getAsLong() : 0);
        put(frame);
        if (isLast) {
            last = frame;
            latestBySubject.clear();
        }
        // With readers, credit is released when they read, and only retained events above their limit are discarded here.
        return cursors.isEmpty() || (first < consumed && bytes > retainedBytes) ? releaseConsumed() : 0;
    }

    /**
     * Appends an event that supersedes the previous one of its subject, such as a partial message. When many events are unread,
     * the superseded one is dropped: otherwise each chunk of a message would take the memory of all chunks before it.
     *
     * @return credit to release immediately
     */
    public synchronized int appendReplacing(String subject, String event, byte[] data, int cost) {
        if (last != null) {
            return cost;
        }
        Long previous = latestBySubject.put(subject, next);
        if (previous != null && previous >= consumed && bytes > retainedBytes + MAX_SUPERSEDED_BYTES) {
            Frame superseded = frames[slot(previous)];
            bytes -= superseded.text().length;
            frames[slot(previous)] = superseded.withoutText();
        }
        return append(event, data, cost, false);
    }

    /** Returns the number of the first event of the log. */
    public long begin() {
        return begin;
    }

    /** Notifies all readers of new events. */
    public void notifyReaders() {
        for (Cursor cursor : cursors) {
            cursor.wake.run();
        }
    }

    /** Adds a reader that starts with event {@code from}; empty if that was discarded. */
    public synchronized Optional<Cursor> open(long from, Runnable wake) {
        if (!isAvailable(from)) {
            return Optional.empty();
        }
        return Optional.of(add(Math.max(begin, Math.min(from, next)), wake, false));
    }

    /**
     * Adds a reader that is none of the run's own clients, so that the run may be cancelled when these have disconnected. It
     * starts with event {@code from}, or with the first retained one after it; {@code Long.MAX_VALUE} is {@link #openAtEnd}.
     */
    public synchronized Cursor observe(long from, Runnable wake) {
        long latest = last == null ? next : next - 1;
        long available = Math.max(Math.min(from, next), Math.min(first, latest));
        return add(from == Long.MAX_VALUE ? latest : available, wake, true);
    }

    private Cursor add(long position, Runnable wake, boolean observes) {
        Cursor cursor = new Cursor(position, wake, observes);
        cursors.add(cursor);
        return cursor;
    }

    /** Adds a reader that starts with the first retained event. */
    public synchronized Cursor openAtStart(Runnable wake) {
        return open(Math.min(first, last == null ? next : next - 1), wake).orElseThrow();
    }

    /** Returns whether event {@code number} is retained or not yet appended; those of earlier attempts are not needed. */
    public synchronized boolean isAvailable(long number) {
        return number >= first || first == begin || (last != null && number >= next - 1);
    }

    /** Adds a reader that starts with the next event, or with the last event of an ended run. */
    public synchronized Cursor openAtEnd(Runnable wake) {
        return open(last == null ? next : next - 1, wake).orElseThrow();
    }

    /** Returns the next events for the reader, as few as are needed for {@code maxBytes}; none for a closed one. */
    public synchronized Batch poll(Cursor cursor, int maxBytes) {
        if (!cursors.contains(cursor)) {
            // Its events may have been discarded.
            return new Batch(Buffer.buffer(), 0, false);
        }
        int length = 0;
        long to = cursor.position;
        while (to < next && length < maxBytes) {
            length += frame(to++).text().length;
        }
        Buffer batch = Buffer.buffer(length);
        while (cursor.position < to) {
            Frame frame = frame(cursor.position++);
            cursor.millis = frame.millis();
            batch.appendBytes(frame.text());
        }
        return new Batch(batch, releaseConsumed(), last != null && cursor.position == next);
    }

    /**
     * Returns a final event for this reader only. It has the id of the reader's previous event, so that a client that resumes
     * after it misses none.
     */
    public synchronized Buffer finalEvent(Cursor cursor, String event, byte[] data) {
        return Buffer.buffer(Frame.of(run, cursor.position - 1, event, data, NO_COMMENT, 0, 0).text());
    }

    /** Removes the reader. @return credit to release */
    public synchronized int close(Cursor cursor) {
        cursors.remove(cursor);
        return releaseConsumed();
    }

    /** Returns whether a client reads the run, and not only its thread. */
    public synchronized boolean hasReaders() {
        return cursors.stream().anyMatch(cursor -> !cursor.observes);
    }

    /** Returns the size of the retained events. */
    public synchronized long bytes() {
        return bytes;
    }

    private void put(Frame frame) {
        if (next - first == frames.length) {
            Frame[] larger = new Frame[frames.length * 2];
            for (long number = first; number < next; number++) {
                larger[(int) (number & (larger.length - 1))] = frames[slot(number)];
            }
            frames = larger;
        }
        frames[slot(next)] = frame;
        bytes += frame.text().length;
        next++;
    }

    private Frame frame(long number) {
        Frame end = last;
        return end != null && number == next - 1 ? end : frames[slot(number)];
    }

    private int releaseConsumed() {
        long read = next;
        for (Cursor cursor : cursors) {
            read = Math.min(read, cursor.position);
        }
        int released = 0;
        for (; consumed < read; consumed++) {
            released += frames[slot(consumed)].cost();
        }
        // Events that a reader has not read are retained. Until it has read them, no further credit is released.
        long discarded = Math.min(consumed, read);
        while (first < discarded && bytes > retainedBytes) {
            bytes -= frames[slot(first)].text().length;
            Arrays.fill(frames, slot(first), slot(first) + 1, null);
            first++;
        }
        if (last != null && first == next) {
            // The log is complete, and the last frame is stored separately.
            frames = NO_FRAMES;
        }
        return released;
    }

    private int slot(long number) {
        return (int) (number & (frames.length - 1));
    }

    /**
     * An event in the format of server-sent events.
     *
     * @param cost credit of the run that it took
     * @param millis its time; 0 if unknown
     */
    private record Frame(byte[] text, int cost, long millis) {

        private static final byte[] EVENT = "event: ".getBytes(StandardCharsets.US_ASCII);
        private static final byte[] DATA = "\ndata: ".getBytes(StandardCharsets.US_ASCII);
        private static final byte[] ID = "\nid: ".getBytes(StandardCharsets.US_ASCII);
        private static final byte[] END = "\n\n".getBytes(StandardCharsets.US_ASCII);

        private static final byte[] EMPTY_TEXT = {};

        Frame withoutText() {
            return new Frame(EMPTY_TEXT, cost, millis);
        }

        /** @param comment a line after the data, with the line break before it: the last line of an event is its id */
        static Frame of(byte[] run, long number, String event, byte[] data, byte[] comment, int cost, long millis) {
            byte[] name = event.getBytes(StandardCharsets.UTF_8);
            byte[] digits = Long.toString(number).getBytes(StandardCharsets.US_ASCII);
            byte[] text = new byte[EVENT.length + name.length + DATA.length + data.length + comment.length + ID.length
                    + run.length + 1 + digits.length + END.length];
            int at = put(EVENT, text, 0);
            at = put(name, text, at);
            at = put(DATA, text, at);
            at = put(data, text, at);
            at = put(comment, text, at);
            at = put(ID, text, at);
            at = put(run, text, at);
            text[at++] = ':';
            at = put(digits, text, at);
            put(END, text, at);
            return new Frame(text, cost, millis);
        }

        /** @return the position after the part */
        private static int put(byte[] part, byte[] whole, int at) {
            System.arraycopy(part, 0, whole, at, part.length);
            return at + part.length;
        }
    }
}
