package dev.waybill.runtime.stream;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.impl.ConnectionBase;
import io.vertx.ext.web.RoutingContext;

/**
 * The way to a client that may be slow, stand still or be gone. Everything but {@link #lastWrite} and {@link #stalledSince}
 * happens on its event loop.
 */
final class ClientConnection {

    private final Vertx vertx;
    private final Context context;
    private final RoutingContext request;
    private final long patienceMillis;
    private volatile long lastWrite = System.nanoTime();
    private volatile long stalledSince;

    /** @param patienceMillis how long the client may take nothing of the answer's end before the connection is closed */
    ClientConnection(RoutingContext request, Vertx vertx, long patienceMillis) {
        this.vertx = vertx;
        this.context = vertx.getOrCreateContext();
        this.request = request;
        this.patienceMillis = patienceMillis;
    }

    /** Does it on the connection's event loop. */
    void run(Runnable work) {
        context.runOnContext(ignored -> work.run());
    }

    HttpServerResponse head(String contentType, String location) {
        return request.response()
                .setStatusCode(200)
                .putHeader("Content-Type", contentType)
                .putHeader("Cache-Control", "no-store")
                .putHeader("Content-Location", location)
                .setChunked(true);
    }

    /** Whether more would only wait here; then {@code drained} is called when that has changed. */
    boolean isFull(Runnable drained) {
        if (!request.response().writeQueueFull()) {
            return false;
        }
        if (stalledSince == 0) {
            // Never the value that says that it is not.
            stalledSince = System.nanoTime() | 1;
        }
        request.response().drainHandler(ignored -> {
            stalledSince = 0;
            drained.run();
        });
        return true;
    }

    boolean isFull() {
        return request.response().writeQueueFull();
    }

    void write(Buffer bytes) {
        lastWrite = System.nanoTime();
        request.response().write(bytes);
    }

    /** Writes the end. A client that leaves it lying is not waited for without limit. */
    void end(Buffer bytes) {
        Future<Void> taken = request.response().end(bytes);
        if (!taken.isComplete()) {
            long timer = vertx.setTimer(Math.max(1, patienceMillis), ignored -> drop());
            taken.onComplete(ignored -> vertx.cancelTimer(timer));
        }
    }

    /** Closes it where it is. The connection's own close would first send what waits, which nobody takes. */
    void drop() {
        if (request.request().version() == HttpVersion.HTTP_2
                || !(request.request().connection() instanceof ConnectionBase one)) {
            request.response().reset();
        } else {
            one.channelHandlerContext().close();
        }
    }

    /** When something was last written, by {@link System#nanoTime}. */
    long lastWrite() {
        return lastWrite;
    }

    /**
     * Since when the client has taken too little to be sent more, by {@link System#nanoTime}; 0 when it takes what there is.
     */
    long stalledSince() {
        return stalledSince;
    }
}
