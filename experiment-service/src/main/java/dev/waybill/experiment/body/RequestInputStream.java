package dev.waybill.experiment.body;

import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

import org.jspecify.annotations.Nullable;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;

/** A request body as a blocking stream with backpressure: only a few chunks are requested ahead of the reader. */
final class RequestInputStream extends InputStream {

    private static final int PREFETCHED_CHUNKS = 8;
    // Each request wakes the event loop, so several chunks are requested at once.
    private static final int CHUNKS_PER_FETCH = 4;
    private static final Chunk END = new Chunk(null, null);

    private final HttpServerRequest request;
    private final Context context;
    private final BlockingQueue<Chunk> chunks = new LinkedBlockingQueue<>();
    private @Nullable Buffer buffer;
    private int position;
    private int consumed;
    private boolean ended;
    // Only accessed on the event loop.
    private long discardLimit = -1;
    private long discardedBytes;
    private boolean complete;

    private RequestInputStream(HttpServerRequest request, Context context) {
        this.request = request;
        this.context = context;
    }

    /** Starts reading the body; must be called on the request's event loop. */
    static RequestInputStream of(HttpServerRequest request) {
        RequestInputStream stream = new RequestInputStream(request, Vertx.currentContext());
        request.pause();
        request.handler(stream::receive);
        request.endHandler(ignored -> stream.end());
        request.exceptionHandler(cause -> stream.chunks.add(new Chunk(null, cause)));
        request.fetch(PREFETCHED_CHUNKS);
        return stream;
    }

    /**
     * Reads and discards the rest, because a client whose connection is closed while it sends does not read the response;
     * the connection is closed after {@code limit} bytes.
     */
    void discardRest(long limit) {
        context.runOnContext(ignored -> {
            discardLimit = limit;
            chunks.clear();
            if (!complete) {
                request.resume();
            }
        });
    }

    private void receive(Buffer received) {
        if (discardLimit < 0) {
            chunks.add(new Chunk(received, null));
            return;
        }
        discardedBytes += received.length();
        if (discardedBytes > discardLimit) {
            request.connection().close();
        }
    }

    private void end() {
        complete = true;
        chunks.add(END);
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        Buffer current = buffer == null || position == buffer.length() ? next() : buffer;
        if (current == null) {
            return -1;
        }
        int count = Math.min(length, current.length() - position);
        current.getBytes(position, position + count, target, offset);
        position += count;
        return count;
    }

    // Not the number of bytes without blocking: decompressors only check whether the stream has ended.
    @Override
    public int available() {
        return ended ? 0 : 1;
    }

    private @Nullable Buffer next() throws IOException {
        position = 0;
        buffer = null;
        while (!ended && (buffer == null || buffer.length() == 0)) {
            Chunk chunk = await();
            if (chunk.cause() != null) {
                throw new IOException("the request body is incomplete", chunk.cause());
            }
            ended = chunk == END;
            buffer = chunk.buffer();
            consumed++;
            if (!ended && consumed % CHUNKS_PER_FETCH == 0) {
                context.runOnContext(ignored -> request.fetch(CHUNKS_PER_FETCH));
            }
        }
        return ended ? null : buffer;
    }

    private Chunk await() throws IOException {
        try {
            return chunks.take();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for the request body", e);
        }
    }

    private record Chunk(@Nullable Buffer buffer, @Nullable Throwable cause) {
    }
}
