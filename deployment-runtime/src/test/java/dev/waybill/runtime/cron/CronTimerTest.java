package dev.waybill.runtime.cron;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;

import jakarta.inject.Inject;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.testing.Patience;
import dev.waybill.runtime.Caller;
import dev.waybill.runtime.RuntimeSettings;
import dev.waybill.runtime.RuntimeTest;
import dev.waybill.runtime.ThreadCaller;
import dev.waybill.runtime.assistant.AssistantCatalog;
import dev.waybill.runtime.run.CreateThreadRunRequest;
import dev.waybill.runtime.run.Run;
import dev.waybill.runtime.run.RunLifecycleService;
import dev.waybill.runtime.run.StoredThreadRuns.CallerThread;
import dev.waybill.runtime.run.ThreadRunService;
import dev.waybill.runtime.run.ThreadRuns;
import dev.waybill.runtime.storage.CronStorage.CronSettings;
import dev.waybill.runtime.storage.CronStorage.StoredCron;
import dev.waybill.runtime.storage.Owner;
import dev.waybill.runtime.storage.RunStorage.Begun;
import dev.waybill.runtime.storage.RunStorage.NewRun;
import dev.waybill.runtime.storage.RuntimeStorage;
import dev.waybill.runtime.storage.Storage;

/** Runs of crons whose date has come. */
@RuntimeTest
class CronTimerTest {

    private static final Owner OWNER = new Owner("local");
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @Inject
    RuntimeStorage runtimeStorage;

    @Inject
    CronTimer timer;

    @Inject
    AssistantCatalog assistants;

    @Inject
    ThreadRunService service;

    @Inject
    ThreadRuns runs;

    @Inject
    RunLifecycleService lifecycle;

    @Inject
    CronPayloads payloads;

    private final Caller caller = Caller.authorized();
    private Storage storage;
    private @Nullable StoredCron cron;

    @BeforeEach
    void open() {
        storage = runtimeStorage.find().orElseThrow();
    }

    @AfterEach
    void delete() {
        if (cron != null) {
            storage.crons().delete(OWNER, cron.id()).await().atMost(PATIENCE);
        }
    }

    @Test
    void runOfADueCronStartsOnItsThread() {
        ThreadCaller thread = ThreadCaller.create();
        create(UUID.fromString(thread.id()), true, Instant.now().minusSeconds(1));

        thread.awaitStatus("idle");
        Patience.await().until(() -> messages(thread).size() == 2);

        List<Map<String, Object>> runs = thread.get("").path("");
        assertThat(runs).singleElement().satisfies(run -> assertThat(run.get("metadata").toString())
                .contains("cron_id=" + cron.id()).contains("test=cron"));
        assertThat(stored().next()).isAfter(Instant.now());
    }

    @Test
    void missedDatesStartOneRun() {
        ThreadCaller thread = ThreadCaller.create();
        create(UUID.fromString(thread.id()), true, Instant.now().minus(10, ChronoUnit.DAYS));

        Patience.await().until(() -> messages(thread).size() == 2);
        fireDue();

        assertThat(thread.get("").<List<Object>> path("")).hasSize(1);
        assertThat(stored().next()).isAfter(Instant.now());
    }

    @Test
    void replicasThatFireAtTheSameTimeStartOneRun() {
        ThreadCaller thread = ThreadCaller.create();
        create(UUID.fromString(thread.id()), true, Instant.now().minusSeconds(1));

        for (int i = 0; i < 5; i++) {
            fireDue();
        }

        Patience.await().until(() -> messages(thread).size() == 2);
        assertThat(thread.get("").<List<Object>> path("")).hasSize(1);
    }

    /** The runtime was killed after it had stored the run, and before it executed it. */
    @Test
    void storedRunOfAKilledRuntimeIsExecutedOnce() {
        ThreadCaller thread = ThreadCaller.create();
        cron = storage.crons().create(OWNER, UUID.randomUUID(), settings(UUID.fromString(thread.id()), true, null),
                Instant.now().plus(1, ChronoUnit.DAYS)).await().atMost(PATIENCE);
        AtomicReference<NewRun> run = new AtomicReference<>();
        service.fire(new CallerThread(OWNER, "local", UUID.fromString(thread.id())), payloads.request(cron.settings()), null,
                stored -> {
                    run.set(elsewhere(stored));
                    return storage.crons().fire(cron, Instant.now().plus(1, ChronoUnit.DAYS), run.get())
                            .map(begun -> Optional.<Begun> empty());
                }).await().atMost(PATIENCE);
        assertThat(thread.status()).isEqualTo("busy");

        runs.recover();
        fireDue();

        thread.awaitStatus(run.get().id().toString(), "success");
        assertThat(thread.get("").<List<Object>> path("")).hasSize(1);
        assertThat(messages(thread)).hasSize(2);
    }

    /** Returns a run of another replica, which has no lease. */
    private static NewRun elsewhere(NewRun run) {
        return new NewRun(run.owner(), run.thread(), run.id(), run.kind(), UUID.randomUUID(), run.assistant(), run.strategy(),
                run.metadata(), run.request(), null, null);
    }

    @Test
    void cronWithoutAThreadCreatesOneForEachRun() {
        create(null, true, Instant.now().minusSeconds(1));
        String ofCron = "{\"metadata\": {\"cron_id\": \"" + cron.id() + "\"}}";

        Patience.await().until(() -> caller.post("/threads/count", ofCron).asString().equals("1"));
        String id = caller.post("/threads/search", ofCron).path("[0].thread_id");
        Patience.await().until(() -> messages(new ThreadCaller(caller, id)).size() == 2);
    }

    @Test
    void cronThatCannotStartARunGoesOnToItsNextDate() {
        cron = storage.crons().create(OWNER, UUID.randomUUID(), new CronSettings("local", UUID.randomUUID(), null, false,
                "0 0 1 1 *", null, null, true, "{}", "{}"), Instant.now().minusSeconds(1)).await().atMost(PATIENCE);
        timer.wakeAt(Instant.now());

        Patience.await().until(() -> stored().next().isAfter(Instant.now()));
    }

    @ParameterizedTest
    @CsvSource({ "every day,UTC,{}", "* * * * *,Mars/Base,{}", "* * * * *,UTC,{" })
    void cronThatCannotBeReadStopsNoOthers(String schedule, String zone, String payload) {
        ThreadCaller thread = ThreadCaller.create();
        Instant date = Instant.now().minusSeconds(1);
        StoredCron unreadable = storage.crons().create(OWNER, UUID.randomUUID(), new CronSettings("local",
                assistants.require("threads").id(), null, false, schedule, zone, null, true, payload, "{}"),
                date.minusSeconds(1)).await().atMost(PATIENCE);
        create(UUID.fromString(thread.id()), true, date);

        Patience.await().until(() -> messages(thread).size() == 2);

        assertThat(storage.crons().find(OWNER, unreadable.id()).await().atMost(PATIENCE).orElseThrow().next()).isNull();
        storage.crons().delete(OWNER, unreadable.id()).await().atMost(PATIENCE);
    }

    @Test
    void moreCronsThanABatchAreFiredTogether() {
        List<StoredCron> crons = IntStream.range(0, 45).mapToObj(ignored -> storage.crons().create(OWNER, UUID.randomUUID(),
                settings(UUID.randomUUID(), true, null), Instant.now().minusSeconds(1)).await().atMost(PATIENCE)).toList();

        fireDue();

        // Their threads do not exist.
        assertThat(crons).allSatisfy(fired -> assertThat(storage.crons().find(OWNER, fired.id()).await().atMost(PATIENCE))
                .isEmpty());
    }

    @Test
    void dateRemainsDueAtTheLimitOfActiveRuns() {
        ThreadCaller thread = ThreadCaller.create();
        List<Run> active = fillRuns();
        Instant due = Instant.now().minusSeconds(1);
        cron = storage.crons().create(OWNER, UUID.randomUUID(), settings(UUID.fromString(thread.id()), true, null), due).await()
                .atMost(PATIENCE);

        fireDue();

        StoredCron waiting = stored();
        active.forEach(lifecycle::cancel);
        fireDue();
        assertThat(waiting).isEqualTo(cron);
        Patience.await().until(() -> messages(thread).size() == 2);
        assertThat(stored().next()).isAfter(Instant.now());
    }

    /** Creates runs, which do not start, up to the limit. */
    private List<Run> fillRuns() {
        CreateThreadRunRequest request = payloads.request(settings(null, true, null));
        List<Run> active = new ArrayList<>();
        try {
            while (active.size() <= RuntimeSettings.CONCURRENT_RUNS) {
                active.add(lifecycle.create(service.check(OWNER, request).await().atMost(PATIENCE), "local"));
            }
        } catch (ProblemException e) {
            assertThat(e.type()).isEqualTo(CommonProblem.TOO_MANY_REQUESTS);
        }
        return active;
    }

    @Test
    void cronEndsAfterItsEndTime() {
        ThreadCaller thread = ThreadCaller.create();
        Instant due = Instant.now().minusSeconds(1);
        cron = storage.crons().create(OWNER, UUID.randomUUID(), settings(UUID.fromString(thread.id()), true, due), due).await()
                .atMost(PATIENCE);
        timer.wakeAt(Instant.now());

        Patience.await().until(() -> messages(thread).size() == 2);

        assertThat(stored().next()).isNull();
    }

    private void create(@Nullable UUID thread, boolean keep, Instant due) {
        cron = storage.crons().create(OWNER, UUID.randomUUID(), settings(thread, keep, null), due).await().atMost(PATIENCE);
        timer.wakeAt(due);
    }

    private CronSettings settings(@Nullable UUID thread, boolean keep, @Nullable Instant end) {
        return new CronSettings("local", assistants.require("threads").id(), thread, keep, "0 0 1 1 *", null, end, true,
                "{\"input\":{\"messages\":[{\"role\":\"user\",\"content\":\"hello\"}]}}", "{\"test\":\"cron\"}");
    }

    private void fireDue() {
        timer.fireDue(storage).await().atMost(PATIENCE);
    }

    private StoredCron stored() {
        return storage.crons().find(OWNER, cron.id()).await().atMost(PATIENCE).orElseThrow();
    }

    private static List<Object> messages(ThreadCaller thread) {
        List<Object> messages = thread.read().path("values.messages");
        return messages == null ? List.of() : messages;
    }
}
