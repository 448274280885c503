package dev.waybill.runtime.stream;

import java.time.Clock;
import java.time.Instant;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.waybill.runtime.channel.ChannelFilter;
import dev.waybill.runtime.channel.RunChannels;
import io.vertx.core.buffer.Buffer;

/** Writes the events of a thread's runs as channels of the agent streaming protocol (docs/decisions/0200). */
final class ChannelEventWriter implements ThreadEventSink {

    private final StreamConnection client;
    private final ChannelFilter filter;
    private final Runnable drained;
    private final Clock clock;
    private @Nullable RunChannels channels;

    /** @param drained called when a client that did not read does again */
    ChannelEventWriter(StreamConnection client, ChannelFilter filter, Runnable drained, Clock clock) {
        this.client = client;
        this.filter = filter;
        this.drained = drained;
        this.clock = clock;
    }

    @Override
    public boolean isFull() {
        return client.isFull(drained);
    }

    /** Clients compare the time of each event with that of the checkpoint that they have read. */
    @Override
    public int batchBytes() {
        return 1;
    }

    @Override
    public void begin(UUID run, Instant createdAt, @Nullable String graph) {
        RunChannels next = new RunChannels(run, createdAt, graph, filter);
        channels = next;
        send(next);
    }

    @Override
    public void write(Buffer events, long millis) {
        RunChannels current = channels;
        if (current != null) {
            current.add(events, timeOf(millis));
            send(current);
        }
    }

    @Override
    public void end(Buffer events, long number, long millis) {
        RunChannels current = channels;
        if (current != null) {
            current.add(events, timeOf(millis));
            current.end(timeOf(millis));
            send(current);
            channels = null;
        }
    }

    @Override
    public void release(Buffer events, long number, long millis) {
        // The last event is an error, but the run has not failed.
        channels = null;
    }

    private long timeOf(long millis) {
        return millis == 0 ? clock.millis() : millis;
    }

    private void send(RunChannels events) {
        Buffer selected = events.take();
        if (selected.length() > 0) {
            client.write(selected);
        }
    }
}
