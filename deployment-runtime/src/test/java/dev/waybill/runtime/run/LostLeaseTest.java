package dev.waybill.runtime.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import jakarta.inject.Inject;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import com.fasterxml.jackson.databind.ObjectMapper;

import dev.waybill.common.testing.Patience;
import dev.waybill.runtime.Bodies;
import dev.waybill.runtime.RuntimeTest;
import dev.waybill.runtime.ThreadCaller;
import dev.waybill.runtime.assistant.Assistant;
import dev.waybill.runtime.assistant.AssistantCatalog;
import dev.waybill.runtime.storage.ChangesRejectedException;
import dev.waybill.runtime.storage.Owner;
import dev.waybill.runtime.storage.RunStorage;
import dev.waybill.runtime.storage.RunStorage.Begun;
import dev.waybill.runtime.storage.RunStorage.CancelAction;
import dev.waybill.runtime.storage.RunStorage.Kind;
import dev.waybill.runtime.storage.RunStorage.MultitaskStrategy;
import dev.waybill.runtime.storage.RunStorage.NewRun;
import dev.waybill.runtime.storage.RuntimeStorage;
import dev.waybill.runtime.storage.Storage;
import dev.waybill.runtime.storage.StorageException;
import dev.waybill.runtime.storage.StorageFactory;
import dev.waybill.runtime.storage.ThreadsConfig;
import dev.waybill.runtime.storage.ThreadsConfig.Technology;
import io.smallrye.mutiny.Uni;

/** A replica whose storage stops responding, or loses results. */
@RuntimeTest
class LostLeaseTest {

    private static final Owner OWNER = new Owner("local");
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @Inject
    ThreadsConfig config;

    @Inject
    RuntimeStorage storage;

    @Inject
    RunLifecycleService lifecycle;

    @Inject
    AssistantCatalog assistants;

    @Inject
    ThreadRuns.Dependencies dependencies;

    @Inject
    ObjectMapper mapper;

    private final AtomicBoolean hangs = new AtomicBoolean();
    private final AtomicBoolean rejects = new AtomicBoolean();
    private final AtomicInteger ends = new AtomicInteger();

    @Test
    @Tag("full")
    void runIsStoppedIfARenewalHangs() throws IOException {
        ThreadCaller thread = ThreadCaller.create();
        ThreadRuns runs = new ThreadRuns(new RuntimeStorage(config, List.of(new FaultyFactory())), lifecycle, assistants,
                dependencies);
        Run run = begin(runs, UUID.fromString(thread.id()));
        runs.tick();
        assertThat(thread.status()).isEqualTo("busy");

        hangs.set(true);
        Patience.await().until(() -> {
            runs.tick();
            return run.status() == RunStatus.ERROR;
        });

        assertThat(run.response().error()).isEqualTo(RunError.LOST);
        thread.awaitStatus("error");
    }

    @Test
    void rejectedCheckpointsAreReportedIfTheResultOfTheEndIsLost() throws IOException {
        ThreadCaller thread = ThreadCaller.create();
        ThreadRuns runs = new ThreadRuns(new RuntimeStorage(config, List.of(new FaultyFactory())), lifecycle, assistants,
                dependencies);
        Run run = begin(runs, UUID.fromString(thread.id()));

        rejects.set(true);
        runs.find(run.id()).orElseThrow().cancel(CancelAction.INTERRUPT);

        Patience.await().until(() -> run.status() == RunStatus.ERROR);
        assertThat(run.response().error()).isEqualTo(RunError.REJECTED);
        assertThat(thread.status(run.id().toString())).isEqualTo("error");
        assertThat(thread.status()).isEqualTo("error");
    }

    /** Begins a run whose client is not ready. */
    private Run begin(ThreadRuns runs, UUID thread) throws IOException {
        CreateRunRequest body = mapper.readValue(Bodies.threads("hello"), CreateRunRequest.class);
        Assistant assistant = Assistant.of(assistants.require("threads"));
        Run run = lifecycle.register(new Run.Origin(UUID.randomUUID(), assistant, "local", thread), body);
        ThreadExecution execution = new ThreadExecution(run, OWNER, true, runs);
        run.executeBy(execution);
        NewRun stored = new NewRun(OWNER, thread, run.id(), Kind.RUN, runs.replica(), assistant.id(), MultitaskStrategy.ENQUEUE,
                "{}", new StoredRequest("local", true, "threads", body, null).toBytes(mapper), null, null);
        Begun.Running begun = (Begun.Running) runs.begin(execution, () -> runs.begin(stored)).await().atMost(PATIENCE);
        execution.begin(new Attempt(begun.fence(), begun.thread(), false, body));
        return run;
    }

    /** Rejects the first end, and stores the second one without a result. */
    private Uni<?> end(Uni<?> real) {
        return !rejects.get() ? real : Uni.createFrom().deferred(() -> switch (ends.incrementAndGet()) {
            case 1 -> Uni.createFrom().failure(new ChangesRejectedException(new StorageException("invalid", null)));
            case 2 -> real.chain(() -> Uni.createFrom().failure(new StorageException("the connection broke", null)));
            default -> real;
        });
    }

    /** Returns the storage of the runtime with faults. */
    private final class FaultyFactory implements StorageFactory {

        @Override
        public Technology technology() {
            return config.storage();
        }

        @Override
        public Storage open() {
            return withFaults(Storage.class, storage.find().orElseThrow());
        }

        private <T> T withFaults(Class<T> type, T real) {
            return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type },
                    (proxy, method, arguments) -> switch (method.getName()) {
                        case "runs" -> withFaults(RunStorage.class, ((Storage) real).runs());
                        case "end" -> end((Uni<?>) method.invoke(real, arguments));
                        case "renew" -> hangs.get() ? Uni.createFrom().nothing() : method.invoke(real, arguments);
                        default -> method.invoke(real, arguments);
                    }));
        }
    }
}
