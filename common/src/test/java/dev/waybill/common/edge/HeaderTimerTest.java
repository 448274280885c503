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
    void aConnectionWithoutARequestIsClosed() {
        later(59);
        assertThat(connection.isOpen()).isTrue();

        later(1);
        assertThat(connection.isOpen()).isFalse();
    }

    @Test
    void bytesThatTrickleInDoNotHelp() {
        for (int second = 0; second < 60; second++) {
            assertThat(connection.isOpen()).as("after %s s", second).isTrue();
            connection.writeInbound("x");
            later(1);
        }
        assertThat(connection.isOpen()).isFalse();
    }

    @Test
    void aRequestTakesAsLongAsItTakes() {
        timer.headReceived();
        connection.writeInbound("its body");
        later(3600);
        connection.writeInbound("goes on");
        later(3600);

        assertThat(connection.isOpen()).isTrue();
    }

    @Test
    void betweenRequestsAConnectionIsKeptUntilAHeadBegins() {
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
    void eachHeadHasItsOwnTime() {
        for (int request = 0; request < 10; request++) {
            connection.writeInbound("GET");
            later(50);
            timer.headReceived();
            timer.requestEnded();
        }
        assertThat(connection.isOpen()).isTrue();
    }

    @Test
    void ofSeveralRequestsAtOnceTheLastCounts() {
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
    void aConnectionThatIsClosedLeavesNothingBehind() {
        connection.close();

        assertThat(connection.runScheduledPendingTasks()).as("no task waits").isEqualTo(-1);
    }

    private void later(int seconds) {
        now.addAndGet(TimeUnit.SECONDS.toNanos(seconds));
        connection.advanceTimeBy(seconds, TimeUnit.SECONDS);
        connection.runScheduledPendingTasks();
    }
}
