package dev.waybill.common.edge;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.embedded.EmbeddedChannel;

class HeaderTimerTest {

    private static final Duration LIMIT = Duration.ofMinutes(1);

    private final AtomicLong now = new AtomicLong();
    private EmbeddedChannel connection;
    private HeaderTimer timer;

    @BeforeEach
    void connect() {
        connection = new EmbeddedChannel(new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel channel) {
                HeaderTimer.watch(channel, LIMIT, now::get);
            }
        });
        connection.freezeTime();
        timer = HeaderTimer.of(connection);
    }

    @AfterEach
    void close() {
        connection.finishAndReleaseAll();
    }

    @Test
    void connectionWithoutRequestIsClosed() {
        later(59);
        assertThat(connection.isOpen()).isTrue();

        later(1);
        assertThat(connection.isOpen()).isFalse();
    }

    @Test
    void trickledBytesDoNotExtendTheTimeout() {
        for (int second = 0; second < 60; second++) {
            assertThat(connection.isOpen()).as("after %s s", second).isTrue();
            connection.writeInbound("x");
            later(1);
        }
        assertThat(connection.isOpen()).isFalse();
    }

    @Test
    void requestInProgressHasNoTimeout() {
        timer.headReceived();
        connection.writeInbound("the body");
        later(3600);
        connection.writeInbound("more of the body");
        later(3600);

        assertThat(connection.isOpen()).isTrue();
    }

    @Test
    void idleConnectionStaysOpenUntilTheNextHeadBegins() {
        // Given
        timer.headReceived();
        timer.requestEnded();
        later(3600);
        assertThat(connection.isOpen()).isTrue();

        // When
        connection.writeInbound("G");

        // Then
        later(59);
        assertThat(connection.isOpen()).isTrue();
        later(1);
        assertThat(connection.isOpen()).isFalse();
    }

    @Test
    void eachHeadHasItsOwnTimeout() {
        for (int request = 0; request < 10; request++) {
            connection.writeInbound("GET");
            later(50);
            timer.headReceived();
            timer.requestEnded();
        }
        assertThat(connection.isOpen()).isTrue();
    }

    @Test
    void connectionStaysOpenUntilTheLastConcurrentRequestEnds() {
        // Given: two streams of HTTP/2
        timer.headReceived();
        timer.headReceived();
        timer.requestEnded();

        // When
        connection.writeInbound("a frame");
        later(3600);

        // Then
        assertThat(connection.isOpen()).isTrue();
    }

    @Test
    void closedConnectionLeavesNoScheduledTask() {
        connection.close();

        assertThat(connection.runScheduledPendingTasks()).as("no scheduled task").isEqualTo(-1);
    }

    private void later(int seconds) {
        now.addAndGet(TimeUnit.SECONDS.toNanos(seconds));
        connection.advanceTimeBy(seconds, TimeUnit.SECONDS);
        connection.runScheduledPendingTasks();
    }
}
