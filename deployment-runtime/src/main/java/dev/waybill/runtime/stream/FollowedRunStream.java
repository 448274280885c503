package dev.waybill.runtime.stream;

import java.util.UUID;
import java.util.function.Consumer;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;

import dev.waybill.runtime.event.Json;
import dev.waybill.runtime.run.FollowedRuns;
import dev.waybill.runtime.run.RunError;
import dev.waybill.runtime.run.StoredThreadRuns.CallerThread;
import io.vertx.core.buffer.Buffer;

/** Streams a run that another replica executes. All work happens on the connection's event loop. */
final class FollowedRunStream extends RemoteRunStream implements FollowedRunReader.Sink {

    private final CallerThread thread;
    private final UUID run;
    private final FollowedRunReader reader;

    /** @param position number of the last event that the client has received; -1 for none */
    FollowedRunStream(FollowedRuns runs, CallerThread thread, UUID run, long position, StreamConnection client,
            Consumer<ResponseStream> onClose) {
        super(client, EventStream.HEARTBEAT, onClose);
        this.thread = thread;
        this.run = run;
        this.reader = new FollowedRunReader(runs, thread, run, position, client, this);
    }

    @Override
    public void start() {
        client().head("text/event-stream", ThreadRunLookup.path(thread, run)).putHeader("X-Accel-Buffering", "no");
        client().write(event("metadata", Json.bytes(JsonNodeFactory.instance.objectNode().put("run_id", run.toString()))));
        reader.start();
    }

    @Override
    Buffer refusal(String reason) {
        return error(RunError.accessRefused(reason));
    }

    @Override
    void cancel() {
        reader.close();
    }

    @Override
    public boolean isFull() {
        return client().isFull(reader::resume);
    }

    @Override
    public void write(Buffer events) {
        client().write(events);
    }

    @Override
    public void succeeded(Buffer values, boolean isLatest) {
        finish(values.appendBuffer(event("end", Json.bytes(JsonNodeFactory.instance.nullNode()))));
    }

    @Override
    public void failed(RunError error) {
        finish(error(error));
    }
}
