package dev.waybill.runtime.event;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

import org.jspecify.annotations.Nullable;

import io.vertx.core.buffer.Buffer;

/**
 * A run's events, numbered from 0, on their way to whoever reads them. What all readers have taken is forgotten, unless the
 * run is resumable: then as much is kept as fits. What an event cost is handed back when the slowest reader has it; that is
 * how a slow client slows its own run down, and why the log stays small.
 */
public final class EventLog {

    private static final Frame[] NONE = {};
    /** From how much on that waits for readers, what was said again since is left out of it. */
    private static final int MOST_REPEATED = 256 << 10;

    private final byte[] run;
    private final long kept;
    private final List<Cursor> cursors = new CopyOnWriteArrayList<>();
    /** The numbers of the events that the next of their subject says again, and more. */
    private final Map<String, Long> newest = new HashMap<>();
    private Frame[] frames = new Frame[16];
    private long first;
    private long taken;
    private long next;
    private long bytes;
    private @Nullable Frame last;

    /** @param kept how many bytes to keep for readers that come later; 0 for none */
    public EventLog(String run, long kept) {
        this.run = run.getBytes(StandardCharsets.US_ASCII);
        this.kept = kept;
    }

    /** Somebody who reads, from some event on. */
    public static final class Cursor {

        private final Runnable wake;
        private long position;

        private Cursor(long position, Runnable wake) {
            this.position = position;
            this.wake = wake;
        }
    }

    /**
     * What a reader gets at once.
     *
     * @param released what can be handed back to the worker now
     * @param finished whether nothing comes behind it any more
     */
    public record Batch(Buffer bytes, int released, boolean finished) {
    }

    /**
     * Adds an event unless the last was added. Its readers hear of it with {@link #wake}, once for however many there are.
     *
     * @return what can be handed back at once
     */
    public synchronized int append(String event, byte[] data, int cost, boolean isLast) {
        if (last != null) {
            return cost;
        }
        Frame frame = Frame.of(run, next, event, data, cost);
        put(frame);
        if (isLast) {
            last = frame;
            newest.clear();
        }
        // What somebody has still to read is not handed back, and what all have read only needs room when there is too much of it.
        return cursors.isEmpty() || (first < taken && bytes > kept) ? settle() : 0;
    }

    /**
     * Adds an event that says all that the last of its subject does, and more, such as a message so far. When much waits for
     * slow readers, they get the newer one only: else each piece of a message would cost the memory of all before it, too.
     *
     * @return what can be handed back at once
     */
    public synchronized int appendNewer(String subject, String event, byte[] data, int cost) {
        if (last != null) {
            return cost;
        }
        Long older = newest.put(subject, next);
        if (older != null && older >= taken && bytes > kept + MOST_REPEATED) {
            Frame repeated = frames[slot(older)];
            bytes -= repeated.text().length;
            frames[slot(older)] = repeated.withoutText();
        }
        return append(event, data, cost, false);
    }

    /** Tells the readers that there is something for them. */
    public void wake() {
        for (Cursor cursor : cursors) {
            cursor.wake.run();
        }
    }

    /** A reader from event {@code from} on; empty when that is not there any more. */
    public synchronized Optional<Cursor> open(long from, Runnable wake) {
        if (!has(from)) {
            return Optional.empty();
        }
        Cursor cursor = new Cursor(Math.min(from, next), wake);
        cursors.add(cursor);
        return Optional.of(cursor);
    }

    /** Whether event {@code number} is there, or is still to come. */
    public synchronized boolean has(long number) {
        return number >= first || (last != null && number >= next - 1);
    }

    /** A reader of what comes from now on; of a run that has ended, of its end. */
    public synchronized Cursor openAtEnd(Runnable wake) {
        return open(last == null ? next : next - 1, wake).orElseThrow();
    }

    /** The next events for the reader, about as many bytes as asked for. */
    public synchronized Batch poll(Cursor cursor, int about) {
        int length = 0;
        long behind = cursor.position;
        while (behind < next && length < about) {
            length += frame(behind++).text().length;
        }
        Buffer batch = Buffer.buffer(length);
        while (cursor.position < behind) {
            batch.appendBytes(frame(cursor.position++).text());
        }
        return new Batch(batch, settle(), last != null && cursor.position == next);
    }

    /**
     * An event for this reader alone, its last. It has the id of the one before, so that whoever reads on behind it misses
     * nothing.
     */
    public synchronized Buffer lastWords(Cursor cursor, String event, byte[] data) {
        return Buffer.buffer(Frame.of(run, cursor.position - 1, event, data, 0).text());
    }

    /** The reader is gone. @return what can be handed back */
    public synchronized int close(Cursor cursor) {
        cursors.remove(cursor);
        return settle();
    }

    public synchronized boolean isRead() {
        return !cursors.isEmpty();
    }

    /** How much memory its events take. */
    public synchronized long bytes() {
        return bytes;
    }

    private void put(Frame frame) {
        if (next - first == frames.length) {
            Frame[] more = new Frame[frames.length * 2];
            for (long number = first; number < next; number++) {
                more[(int) (number & (more.length - 1))] = frames[slot(number)];
            }
            frames = more;
        }
        frames[slot(next)] = frame;
        bytes += frame.text().length;
        next++;
    }

    private Frame frame(long number) {
        Frame end = last;
        return end != null && number == next - 1 ? end : frames[slot(number)];
    }

    private int settle() {
        long read = next;
        for (Cursor cursor : cursors) {
            read = Math.min(read, cursor.position);
        }
        int released = 0;
        for (; taken < read; taken++) {
            released += frames[slot(taken)].cost();
        }
        while (first < taken && bytes > kept) {
            bytes -= frames[slot(first)].text().length;
            Arrays.fill(frames, slot(first), slot(first) + 1, null);
            first++;
        }
        if (last != null && first == next) {
            // Nothing comes any more, and the last is held apart.
            frames = NONE;
        }
        return released;
    }

    private int slot(long number) {
        return (int) (number & (frames.length - 1));
    }

    /**
     * An event as it goes over the wire.
     *
     * @param cost what it took of the run's credit
     */
    private record Frame(byte[] text, int cost) {

        private static final byte[] EVENT = "event: ".getBytes(StandardCharsets.US_ASCII);
        private static final byte[] DATA = "\ndata: ".getBytes(StandardCharsets.US_ASCII);
        private static final byte[] ID = "\nid: ".getBytes(StandardCharsets.US_ASCII);
        private static final byte[] END = "\n\n".getBytes(StandardCharsets.US_ASCII);

        private static final byte[] NOTHING = {};

        Frame withoutText() {
            return new Frame(NOTHING, cost);
        }

        static Frame of(byte[] run, long number, String event, byte[] data, int cost) {
            byte[] name = event.getBytes(StandardCharsets.UTF_8);
            byte[] digits = Long.toString(number).getBytes(StandardCharsets.US_ASCII);
            byte[] text = new byte[EVENT.length + name.length + DATA.length + data.length + ID.length + run.length + 1
                    + digits.length + END.length];
            int at = put(EVENT, text, 0);
            at = put(name, text, at);
            at = put(DATA, text, at);
            at = put(data, text, at);
            at = put(ID, text, at);
            at = put(run, text, at);
            text[at++] = ':';
            at = put(digits, text, at);
            put(END, text, at);
            return new Frame(text, cost);
        }

        /** @return the place behind the part */
        private static int put(byte[] part, byte[] whole, int at) {
            System.arraycopy(part, 0, whole, at, part.length);
            return at + part.length;
        }
    }
}
