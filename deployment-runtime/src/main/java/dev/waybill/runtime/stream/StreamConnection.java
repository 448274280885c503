package dev.waybill.runtime.stream;

import jakarta.inject.Singleton;

import io.quarkus.vertx.http.HttpServerOptionsCustomizer;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.impl.ConnectionBase;
import io.vertx.ext.web.RoutingContext;

/**
 * Connection to a client that may be slow, stalled or disconnected. All methods but {@link #lastWrite} and
 * {@link #stalledSince}
 * must be called on its event loop.
 */
final class StreamConnection {

    private final Vertx vertx;
    private final Context context;
    private final RoutingContext request;
    private final long stallTimeoutMillis;
    private volatile long lastWrite = System.nanoTime();
    private volatile long stalledSince;

    /** @param stallTimeoutMillis time without progress after which the end of the response is aborted */
    StreamConnection(RoutingContext request, Vertx vertx, long stallTimeoutMillis) {
        this.vertx = vertx;
        this.context = vertx.getOrCreateContext();
        this.request = request;
        this.stallTimeoutMillis = stallTimeoutMillis;
    }

    /** Runs the work on the connection's event loop. */
    void run(Runnable work) {
        context.runOnContext(ignored -> work.run());
    }

    /** Runs the work on the connection's event loop after a time. */
    void runAfter(long millis, Runnable work) {
        vertx.setTimer(millis, ignored -> run(work));
    }

    HttpServerResponse head(String contentType, String location) {
        return request.response()
                .setStatusCode(200)
                .putHeader("Content-Type", contentType)
                .putHeader("Cache-Control", "no-store")
                .putHeader("Content-Location", location)
                .setChunked(true);
    }

    /** Returns whether the write queue is full; if so, calls {@code drained} when it has space again. */
    boolean isFull(Runnable drained) {
        if (!request.response().writeQueueFull()) {
            return false;
        }
        if (stalledSince == 0) {
            // Never 0, which means that the client is not stalled.
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

    /** Ends the response. Aborts the connection if the client does not read it within the stall timeout. */
    void end(Buffer bytes) {
        Future<Void> written = request.response().end(bytes);
        if (!written.isComplete()) {
            long timer = vertx.setTimer(Math.max(1, stallTimeoutMillis), ignored -> abort());
            written.onComplete(ignored -> vertx.cancelTimer(timer));
        }
    }

    /** Closes the channel directly: closing the connection would first wait for unread data to be sent. */
    void abort() {
        if (request.request().version() == HttpVersion.HTTP_2
                || !(request.request().connection() instanceof ConnectionBase connection)) {
            request.response().reset();
        } else {
            connection.channelHandlerContext().close();
        }
    }

    /** Returns the time of the last write, by {@link System#nanoTime}. */
    long lastWrite() {
        return lastWrite;
    }

    /** Returns the time since which the write queue has been full, by {@link System#nanoTime}; 0 if it is not full. */
    long stalledSince() {
        return stalledSince;
    }

    /**
     * Limits the socket send buffer and enables TCP keep-alive. With the system's defaults, megabytes would be
     * buffered for each
     * client
     * that does not read, and clients that disappeared would be detected late.
     */
    @Singleton
    static class ClientSocketOptions implements HttpServerOptionsCustomizer {

        private static final int SEND_BUFFER = 64 << 10;

        @Override
        public void customizeHttpServer(HttpServerOptions options) {
            options.setSendBufferSize(SEND_BUFFER).setTcpKeepAlive(true);
        }

        @Override
        public void customizeHttpsServer(HttpServerOptions options) {
            customizeHttpServer(options);
        }
    }
}
