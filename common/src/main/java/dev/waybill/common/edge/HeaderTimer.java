package dev.waybill.common.edge;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.AttributeKey;

/**
 * Closes a connection if a request head does not arrive in time. The time starts when the connection opens, and later with the
 * first byte received while no request is in progress.
 */
final class HeaderTimer extends ChannelInboundHandlerAdapter {

    private static final AttributeKey<HeaderTimer> KEY = AttributeKey.valueOf(HeaderTimer.class, "connection");

    private final Channel connection;
    private final long limit;
    private final LongSupplier nanoTime;
    // Requests begin on the connection's event loop but can end on any thread.
    private final AtomicInteger requestsInProgress = new AtomicInteger();
    private boolean awaitsHead;
    private long startedAt;
    private @Nullable Future<?> check;

    private HeaderTimer(Channel connection, Duration limit, LongSupplier nanoTime) {
        this.connection = connection;
        this.limit = limit.toNanos();
        this.nanoTime = nanoTime;
    }

    /** Adds a timer to a connection that is not open yet. */
    static void watch(Channel connection, Duration limit, LongSupplier nanoTime) {
        HeaderTimer timer = new HeaderTimer(connection, limit, nanoTime);
        connection.attr(KEY).set(timer);
        connection.pipeline().addFirst(timer);
    }

    /** Returns the timer of the connection; null if it has none. */
    static @Nullable HeaderTimer of(Channel connection) {
        return connection.attr(KEY).get();
    }

    /** Records that a request head is complete. */
    void headReceived() {
        requestsInProgress.incrementAndGet();
        awaitsHead = false;
    }

    /** Records that a request ended with a response or a disconnect. */
    void requestEnded() {
        requestsInProgress.decrementAndGet();
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        startTimer();
        context.fireChannelActive();
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object bytes) {
        if (!awaitsHead && requestsInProgress.get() == 0) {
            startTimer();
        }
        context.fireChannelRead(bytes);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        if (check != null) {
            check.cancel(false);
        }
        context.fireChannelInactive();
    }

    private void startTimer() {
        awaitsHead = true;
        startedAt = nanoTime.getAsLong();
        if (check == null) {
            scheduleCheck(limit);
        }
    }

    // A pending check also serves the next head, so consecutive requests need no timer each.
    private void scheduleCheck(long nanos) {
        check = connection.eventLoop().schedule(this::check, nanos, TimeUnit.NANOSECONDS);
    }

    private void check() {
        check = null;
        if (awaitsHead) {
            long left = limit - (nanoTime.getAsLong() - startedAt);
            if (left > 0) {
                scheduleCheck(left);
            } else {
                connection.close();
            }
        }
    }
}
