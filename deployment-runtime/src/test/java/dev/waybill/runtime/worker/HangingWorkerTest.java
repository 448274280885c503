package dev.waybill.runtime.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.common.application.Application;
import dev.waybill.common.application.ApplicationFile;
import dev.waybill.runtime.Settings;
import dev.waybill.runtime.worker.RunSink.Outcome;
import dev.waybill.runtime.worker.StartFailure.StartFailureReporter;

class HangingWorkerTest {

    @TempDir
    private Path directory;

    @Test
    @Tag("full")
    void workerWithoutPingResponseIsKilledAndItsRunsFail() throws Exception {
        Workers workers = workers("""
                ["%s/bin/java", "-cp", "%s/deployment-runtime/target/test-classes", "dev.waybill.runtime.FaultyWorker"]"""
                .formatted(System.getProperty("java.home"), System.getProperty("waybill.root")));
        try {
            assertThat(start(workers, "hang").get(2, TimeUnit.MINUTES)).isInstanceOfSatisfying(Outcome.Failed.class,
                    failed -> assertThat(failed.error()).isIn("WorkerDied", "WorkerUnavailable"));
        } finally {
            workers.stop();
        }
    }

    @Test
    void missingOrExitingProgramFailsPendingRuns() throws Exception {
        Workers missing = workers("[\"no-such-program-anywhere\"]");
        Workers ending = workers("[\"false\"]");
        try {
            assertThat(start(missing, "anything").get(2, TimeUnit.MINUTES)).isEqualTo(new Outcome.Failed("WorkerUnavailable",
                    "The worker of graph \"agent\" cannot be started: the program \"no-such-program-anywhere\" is not on the PATH."));
            assertThat(start(ending, "anything").get(2, TimeUnit.MINUTES)).isEqualTo(new Outcome.Failed("WorkerUnavailable",
                    "The worker of graph \"agent\" does not start: it ended with exit code 1."));
        } finally {
            missing.stop();
            ending.stop();
        }
    }

    @Test
    void backoffGrowsUntilWorkerHasServed() {
        WorkerConfig config = Settings.of(WorkerConfig.class, Map.of());
        try (DelayRecorder scheduler = new DelayRecorder()) {
            WorkerPool pool = new WorkerPool("agent", config, () -> {
                throw new WorkerException("the program does not exist");
            }, scheduler, new StartFailureReporter(Optional.empty(), () -> {
            }), directory);

            pool.start();
            for (int failure = 2; failure <= 4; failure++) {
                scheduler.next().run();
            }
            pool.served();
            scheduler.next().run();

            assertThat(scheduler.delays).containsExactly(200L, 400L, 800L, 1600L, 200L);
        }
    }

    private Workers workers(String command) throws Exception {
        Files.writeString(directory.resolve("langgraph.json"), "{\"graphs\": {\"agent\": {\"command\": " + command + "}}}");
        Application application = ApplicationFile.read(directory, "langgraph.json");
        Workers workers = new Workers(application, Settings.of(WorkerConfig.class, Map.of(
                "waybill.runtime.worker.ping-timeout", "3s")),
                new Shims(application));
        workers.begin(null);
        return workers;
    }

    private static CompletableFuture<Outcome> start(Workers workers, String what) {
        ObjectNode request = JsonNodeFactory.instance.objectNode();
        request.putObject("input").put("do", what);
        CompletableFuture<Outcome> ended = new CompletableFuture<>();
        workers.start(UUID.randomUUID(), "agent", request, new RunSink() {
            @Override
            public void event(String mode, String namespace, byte[] json, int cost) {
                // None are expected.
            }

            @Override
            public void ended(Outcome outcome) {
                ended.complete(outcome);
            }
        });
        return ended;
    }

    /** Runs tasks at once and records the delays of scheduled ones, in milliseconds. */
    private static final class DelayRecorder extends ScheduledThreadPoolExecutor {

        private final List<Long> delays = new ArrayList<>();
        private final Deque<Runnable> scheduled = new ArrayDeque<>();

        private DelayRecorder() {
            super(1);
        }

        @Override
        public void execute(Runnable task) {
            task.run();
        }

        @Override
        public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
            delays.add(unit.toMillis(delay));
            scheduled.add(task);
            return super.schedule(() -> {
            }, 0, unit);
        }

        private Runnable next() {
            return scheduled.remove();
        }
    }
}
