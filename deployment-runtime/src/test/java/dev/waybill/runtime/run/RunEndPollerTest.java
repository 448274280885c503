package dev.waybill.runtime.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

import jakarta.inject.Inject;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.runtime.RuntimeTest;
import dev.waybill.runtime.ThreadCaller;
import dev.waybill.runtime.run.StoredThreadRuns.CallerThread;
import dev.waybill.runtime.storage.Owner;
import dev.waybill.runtime.storage.RunFence;
import dev.waybill.runtime.storage.RunStorage;
import dev.waybill.runtime.storage.RunStorage.Begun;
import dev.waybill.runtime.storage.RunStorage.Kind;
import dev.waybill.runtime.storage.RunStorage.MultitaskStrategy;
import dev.waybill.runtime.storage.RunStorage.NewRun;
import dev.waybill.runtime.storage.RunStorage.Replica;
import dev.waybill.runtime.storage.RunStorage.RunEnd;
import dev.waybill.runtime.storage.RuntimeStorage;
import dev.waybill.runtime.storage.Storage;
import dev.waybill.runtime.storage.StorageFactory;
import dev.waybill.runtime.storage.ThreadsConfig;
import dev.waybill.runtime.storage.ThreadsConfig.Technology;
import io.smallrye.mutiny.Uni;

/** Clients that wait for runs of another replica, which is the test. */
@RuntimeTest
class RunEndPollerTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Owner OWNER = new Owner("local");

    @Inject
    ThreadsConfig config;

    @Inject
    RuntimeStorage storage;

    @Inject
    StoredThreadRuns stored;

    private final UUID replica = UUID.randomUUID();
    private final AtomicInteger queries = new AtomicInteger();
    private RunEndPoller ends;

    @BeforeEach
    void open() {
        ends = new RunEndPoller(new RuntimeStorage(config, List.of(new CountingFactory())));
    }

    @Test
    void oneQueryServesAllWaitingClients() {
        RunFence first = begin(ThreadCaller.create());
        RunFence second = begin(ThreadCaller.create());
        CompletableFuture<Void> ofFirst = ends.await(first.run()).subscribeAsCompletionStage();
        CompletableFuture<Void> again = ends.await(first.run()).subscribeAsCompletionStage();
        CompletableFuture<Void> ofSecond = ends.await(second.run()).subscribeAsCompletionStage();
        await(runs().end(first, RunEnd.rolledBack()));

        ends.tick();

        assertThat(ofFirst).succeedsWithin(PATIENCE);
        assertThat(again).succeedsWithin(PATIENCE);
        assertThat(ofSecond).isNotDone();
        assertThat(queries).hasValue(1);
        await(runs().end(second, RunEnd.rolledBack()));
    }

    @Test
    void clientsThatLeaveCauseNoQueries() {
        RunFence run = begin(ThreadCaller.create());
        CompletableFuture<Void> left = ends.await(run.run()).subscribeAsCompletionStage();

        left.cancel(false);
        ends.tick();

        assertThat(queries).hasValue(0);
        await(runs().end(run, RunEnd.rolledBack()));
    }

    @Test
    void waitForACancellationIsLimited() {
        ThreadCaller thread = ThreadCaller.create();
        RunFence run = begin(thread);
        CallerThread caller = new CallerThread(OWNER, "local", UUID.fromString(thread.id()));
        FollowedRuns followed = new FollowedRuns(storage, stored, ends);

        assertThatExceptionOfType(ProblemException.class)
                .isThrownBy(() -> await(followed.awaitCancellation(caller, run.run(), Duration.ofMillis(100))))
                .satisfies(problem -> assertThat(problem.type()).isEqualTo(CommonProblem.UNAVAILABLE));

        ends.tick();
        assertThat(queries).hasValue(0);
        await(runs().end(run, RunEnd.rolledBack()));
    }

    private RunFence begin(ThreadCaller thread) {
        await(runs().renew(new Replica(replica, Duration.ofMinutes(10), List.of(), List.of())));
        return ((Begun.Running) await(runs().begin(new NewRun(OWNER, UUID.fromString(thread.id()), UUID.randomUUID(), Kind.RUN,
                replica, UUID.randomUUID(), MultitaskStrategy.ENQUEUE, "{}", "{}".getBytes(StandardCharsets.UTF_8), null,
                null))))
                .fence();
    }

    private RunStorage runs() {
        return storage.find().orElseThrow().runs();
    }

    private static <T> T await(Uni<T> result) {
        return result.await().atMost(PATIENCE);
    }

    /** Returns the storage of the runtime, and counts queries for ends. */
    private final class CountingFactory implements StorageFactory {

        @Override
        public Technology technology() {
            return config.storage();
        }

        @Override
        public Storage open() {
            return counting(Storage.class, storage.find().orElseThrow());
        }

        private <T> T count(T real) {
            queries.incrementAndGet();
            return real;
        }

        private <T> T counting(Class<T> type, T real) {
            return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type },
                    (proxy, method, arguments) -> switch (method.getName()) {
                        case "runs" -> counting(RunStorage.class, ((Storage) real).runs());
                        case "findActive" -> method.invoke(count(real), arguments);
                        default -> method.invoke(real, arguments);
                    }));
        }
    }
}
