package dev.waybill.controlplane.engine.local.proxy;

import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.edge.InvalidRequestHandler;
import dev.waybill.common.edge.StrictRequestDecoder;
import dev.waybill.common.edge.StrictRequestDecoder.InvalidRequestException;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.AttributeKey;
import io.netty.util.concurrent.Future;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.impl.ConnectionBase;

/**
 * Decodes a client's requests strictly and within limits of time and memory. Large heads need one of few permits, so that
 * unauthenticated clients cannot exhaust the heap.
 */
final class ClientConnection extends StrictRequestDecoder {

    /** Maximum size of a head, equal to that of the runtime. */
    static final int MAX_HEAD_BYTES = 64 << 10;
    static final Semaphore LARGE_HEADS = new Semaphore(250);
    private static final int MAX_HEADERS = 200;
    private static final int SMALL_HEAD_BYTES = 8 << 10;
    private static final int MAX_LENGTH_DIGITS = 15;
    private static final int CHECK_SECONDS = 15;
    private static final long HEAD_TIMEOUT_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final long BODY_TIMEOUT_NANOS = TimeUnit.MINUTES.toNanos(2);
    // Longer than idle timeouts of clients, so that the client closes first.
    private static final long IDLE_TIMEOUT_NANOS = TimeUnit.MINUTES.toNanos(5);
    private static final AttributeKey<ClientConnection> KEY = AttributeKey.valueOf(ClientConnection.class, "connection");

    private final Semaphore largeHeads;
    private final LongSupplier nanoTime;
    private final Runnable onClose;
    private @Nullable Backend backend;
    private Runnable requestEnd = () -> {
    };
    private @Nullable Future<?> checks;
    private boolean hasPermit;
    private int headBytes;
    private long headStarted;
    private long lastActive;

    ClientConnection(HttpServerOptions options, Semaphore largeHeads, LongSupplier nanoTime, Runnable onClose) {
        super(options);
        this.largeHeads = largeHeads;
        this.nanoTime = nanoTime;
        this.onClose = onClose;
        this.lastActive = nanoTime.getAsLong();
    }

    /** Replaces the decoder of a connection that has not received anything yet. */
    static void install(HttpConnection connection, HttpServerOptions options, Runnable onClose) {
        Channel channel = ((ConnectionBase) connection).channel();
        ClientConnection decoder = new ClientConnection(options, LARGE_HEADS, System::nanoTime, onClose);
        channel.attr(KEY).set(decoder);
        channel.pipeline().replace("httpDecoder", "httpDecoder", decoder);
        channel.pipeline().addAfter("httpEncoder", "invalidRequests", new InvalidRequestHandler(ProxyError::invalid));
    }

    static ClientConnection of(HttpConnection connection) {
        return ((ConnectionBase) connection).channel().attr(KEY).get();
    }

    /**
     * Records that a request is forwarded to the backend, which was acquired for it.
     *
     * @param onEnd runs once, after the response or when the client disconnects
     */
    void begin(Backend acquired, Runnable onEnd) {
        backend = acquired;
        requestEnd = onEnd;
    }

    Backend backend() {
        if (backend == null) {
            throw new IllegalStateException("the request has ended");
        }
        return backend;
    }

    /** Releases the backend of the request in progress, if there is one. */
    void end() {
        lastActive = nanoTime.getAsLong();
        if (backend != null) {
            backend.release();
            backend = null;
            requestEnd.run();
        }
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        checks = context.executor().scheduleWithFixedDelay(() -> check(context), CHECK_SECONDS, CHECK_SECONDS,
                TimeUnit.SECONDS);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object bytes) throws Exception {
        lastActive = nanoTime.getAsLong();
        if (awaitsHead()) {
            headStarted = headBytes == 0 ? lastActive : headStarted;
            headBytes += ((ByteBuf) bytes).readableBytes();
        }
        super.channelRead(context, bytes);
        if (awaitsHead() && headBytes > SMALL_HEAD_BYTES && !hasPermit) {
            hasPermit = largeHeads.tryAcquire();
            if (!hasPermit) {
                reject(context, new ProxyError.RejectedException(503, "unavailable", "Temporarily unavailable",
                        "Too many concurrent requests have large headers; retry later."));
            }
        }
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf buffer, List<Object> out) throws Exception {
        boolean awaited = awaitsHead();
        super.decode(context, buffer, out);
        if (awaited && !out.isEmpty()) {
            headBytes = awaitsHead() ? buffer.readableBytes() : 0;
            releasePermit();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) throws Exception {
        if (checks != null) {
            checks.cancel(false);
        }
        releasePermit();
        super.channelInactive(context);
        end();
        onClose.run();
    }

    private void releasePermit() {
        if (hasPermit) {
            hasPermit = false;
            largeHeads.release();
        }
    }

    /** Closes the connection if the client has been silent for too long. */
    void check(ChannelHandlerContext context) {
        long now = nanoTime.getAsLong();
        if (awaitsHead() && headBytes > 0) {
            if (now - headStarted > HEAD_TIMEOUT_NANOS) {
                reject(context, new ProxyError.RejectedException(408, "request_timeout", "Too slow",
                        "The headers took longer than " + TimeUnit.NANOSECONDS.toSeconds(HEAD_TIMEOUT_NANOS) + " s."));
            }
        } else if (awaitsHead()) {
            if (backend == null && now - lastActive > IDLE_TIMEOUT_NANOS) {
                context.close();
            }
        } else if (!context.channel().config().isAutoRead()) {
            // The application reads slowly.
            lastActive = now;
        } else if (now - lastActive > BODY_TIMEOUT_NANOS) {
            context.close();
        }
    }

    @Override
    protected HttpMethod method(HttpMethod requested) {
        return requested;
    }

    @Override
    protected @Nullable Throwable fault(HttpRequest request) {
        HttpHeaders headers = request.headers();
        boolean isOld = request.protocolVersion().equals(HttpVersion.HTTP_1_0);
        if (headers.entries().size() > MAX_HEADERS) {
            return new ProxyError.RejectedException(431, "malformed_request", "Malformed request",
                    "The request has more than " + MAX_HEADERS + " headers; send fewer.");
        }
        if (request.method().equals(HttpMethod.CONNECT)) {
            return new InvalidRequestException("CONNECT is not supported.");
        }
        if (!isOld && headers.getAll(HttpHeaderNames.HOST).size() != 1) {
            return new InvalidRequestException("Send the header Host exactly once.");
        }
        if (isOld) {
            if (headers.contains(HttpHeaderNames.TRANSFER_ENCODING)) {
                return new InvalidRequestException("HTTP/1.0 has no Transfer-Encoding.");
            }
            // The end of a response of unknown length is the end of the connection.
            headers.remove(HttpHeaderNames.CONNECTION);
        }
        if (!request.uri().chars().allMatch(letter -> letter > ' ' && letter < 0x7f)) {
            return new InvalidRequestException("The request target must be ASCII; percent-encode other characters.");
        }
        String length = headers.get(HttpHeaderNames.CONTENT_LENGTH);
        if (length != null && length.length() > MAX_LENGTH_DIGITS) {
            return new InvalidRequestException("Content-Length is too large.");
        }
        if (headers.contains(HttpHeaderNames.TRANSFER_ENCODING) && headers.contains(HttpHeaderNames.CONTENT_LENGTH)
                || headers.getAll(HttpHeaderNames.CONTENT_LENGTH).size() > 1) {
            return new InvalidRequestException("Send Content-Length or Transfer-Encoding, and only once.");
        }
        Throwable fault = super.fault(request);
        if (fault == null && headers.contains(HttpHeaderNames.TRANSFER_ENCODING)) {
            // The library compares the name exactly.
            headers.set(HttpHeaderNames.TRANSFER_ENCODING, HttpHeaderValues.CHUNKED);
        }
        return fault;
    }
}
