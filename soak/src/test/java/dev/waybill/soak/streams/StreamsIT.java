package dev.waybill.soak.streams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.waybill.local.RunningStack;
import dev.waybill.local.runtime.IdleClients;
import dev.waybill.local.runtime.RuntimeProcess;

/** Tests the packaged runtime with 256 MiB of heap and many clients; {@code ./verify soak --streams 60} runs longer. */
@Tag("full")
class StreamsIT {

    private static final List<String> FAST_START = List.of("-XX:TieredStopAtLevel=1");
    private static final Path FOLDER = Path.of("target", "streams");
    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    private static RuntimeProcess runtime;

    @BeforeAll
    static void start() {
        runtime = RuntimeProcess.start(RunningStack.root(), RunningStack.root().resolve("deployment-runtime/samples/java"),
                FOLDER.resolve("runtime.log"), FAST_START,
                Map.of("waybill.runtime.runs.max-concurrent", "1100", "waybill.runtime.runs.heartbeat-interval", "500ms"));
    }

    @AfterAll
    static void stop() {
        runtime.close();
    }

    @Test
    void thousandConcurrentStreamsAreComplete() {
        assertThat(ConcurrentStreams.run(runtime, 990, 10, Duration.ofSeconds(3))).isGreaterThanOrEqualTo(1000);
    }

    @Test
    void idleStreamsReceiveHeartbeats() {
        try (IdleClients clients = new IdleClients(runtime.address(), 500)) {
            clients.awaitOpen(TIMEOUT);

            assertThatCode(() -> clients.awaitHeartbeats(TIMEOUT)).doesNotThrowAnyException();
            assertThatCode(clients::requireAllOpen).doesNotThrowAnyException();
        }
        runtime.awaitIdle(TIMEOUT);
    }

    @Test
    void disconnectCancelsRunInWorker() {
        assertThat(DisconnectingClients.run(RunningStack.root(), FOLDER.resolve("leaving"), FAST_START, 6)).hasSize(6);
    }
}
