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
 * One connection, of which is known since when a request's head is on its way: since it was opened, and later since the first
 * byte that comes while no request is under way. It is closed when that head is not there in time.
 */
final class HeaderTimer extends ChannelInboundHandlerAdapter {

    private static final AttributeKey<HeaderTimer> KEY = AttributeKey.valueOf(HeaderTimer.class, "connection");

    private final Channel connection;
    private final long limit;
    private final LongSupplier nanoTime;
    // Requests begin on the connection's event loop; they end on any thread.
    private final AtomicInteger underWay = new AtomicInteger();
    private boolean waiting;
    private long since;
    private @Nullable Future<?> look;

    private HeaderTimer(Channel connection, Duration limit, LongSupplier nanoTime) {
        this.connection = connection;
        this.limit = limit.toNanos();
        this.nanoTime = nanoTime;
    }

    /** Watches the connection, which is not open yet. */
    static void watch(Channel connection, Duration limit, LongSupplier nanoTime) {
        HeaderTimer timer = new HeaderTimer(connection, limit, nanoTime);
        connection.attr(KEY).set(timer);
        connection.pipeline().addFirst(timer);
    }

    /** That of the connection; null where connections are not watched. */
    static @Nullable HeaderTimer of(Channel connection) {
        return connection.attr(KEY).get();
    }

    /** A request's head is there. */
    void begun() {
        underWay.incrementAndGet();
        waiting = false;
    }

    /** It has been answered, or its client has left. */
    void ended() {
        underWay.decrementAndGet();
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        await();
        context.fireChannelActive();
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object bytes) {
        if (!waiting && underWay.get() == 0) {
            await();
        }
        context.fireChannelRead(bytes);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        if (look != null) {
            look.cancel(false);
        }
        context.fireChannelInactive();
    }

    private void await() {
        waiting = true;
        since = nanoTime.getAsLong();
        if (look == null) {
            lookAfter(limit);
        }
    }

    // A look that is due stays for the next head: requests that follow each other cost no timer each.
    private void lookAfter(long nanos) {
        look = connection.eventLoop().schedule(this::look, nanos, TimeUnit.NANOSECONDS);
    }

    private void look() {
        look = null;
        if (waiting) {
            long left = limit - (nanoTime.getAsLong() - since);
            if (left > 0) {
                lookAfter(left);
            } else {
                connection.close();
            }
        }
    }
}
