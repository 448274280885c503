package dev.waybill.client;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.StringJoiner;
import java.util.concurrent.Flow;
import java.util.concurrent.SubmissionPublisher;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.ObjectMapper;

/**
 * The events of a run as the runtime sends them. They can be read once: by iteration, which blocks, or by one subscriber,
 * which receives them in a virtual thread. Closing the stream closes the connection.
 */
public final class RunStream implements Iterable<RunEvent>, Flow.Publisher<RunEvent>, AutoCloseable {

    private static final int BUFFER = 16;

    private final BufferedReader lines;
    private final ObjectMapper mapper;

    RunStream(InputStream body, ObjectMapper mapper) {
        this.lines = new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8));
        this.mapper = mapper;
    }

    @Override
    public Iterator<RunEvent> iterator() {
        return new Iterator<>() {

            private @Nullable RunEvent next;

            @Override
            public boolean hasNext() {
                if (next == null) {
                    next = read();
                }
                return next != null;
            }

            @Override
            public RunEvent next() {
                if (!hasNext() || next == null) {
                    throw new NoSuchElementException();
                }
                RunEvent event = next;
                next = null;
                return event;
            }
        };
    }

    /** Sends the events to a subscriber and closes the stream after the last one or at the first event after a cancellation. */
    @Override
    public void subscribe(Flow.Subscriber<? super RunEvent> subscriber) {
        SubmissionPublisher<RunEvent> publisher = new SubmissionPublisher<>(Thread::startVirtualThread, BUFFER);
        publisher.subscribe(subscriber);
        Thread.startVirtualThread(() -> {
            try (this) {
                Iterator<RunEvent> events = iterator();
                while (publisher.hasSubscribers() && events.hasNext()) {
                    publisher.submit(events.next());
                }
                publisher.close();
            } catch (RuntimeException e) {
                publisher.closeExceptionally(e);
            }
        });
    }

    @Override
    public void close() {
        try {
            lines.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private @Nullable RunEvent read() {
        String id = null;
        String name = "message";
        StringJoiner data = new StringJoiner("\n");
        try {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                int colon = line.indexOf(':');
                String field = colon < 0 ? line : line.substring(0, colon);
                String value = colon < 0 ? "" : line.substring(colon + 1).replaceFirst("^ ", "");
                switch (field) {
                    case "id" -> id = value;
                    case "event" -> name = value;
                    case "data" -> data.add(value);
                    default -> {
                        // A comment keeps the connection open; an empty line ends an event.
                    }
                }
                if (line.isEmpty() && data.length() > 0) {
                    return new RunEvent(id, name, mapper.readTree(data.toString()));
                }
            }
            return null;
        } catch (IOException e) {
            throw new UncheckedIOException("the stream of the run was interrupted", e);
        }
    }
}
