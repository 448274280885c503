package dev.waybill.runtime.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import jakarta.inject.Inject;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import com.fasterxml.jackson.databind.ObjectMapper;

import dev.waybill.common.testing.Patience;
import dev.waybill.runtime.Bodies;
import dev.waybill.runtime.RuntimeTest;
import dev.waybill.runtime.ThreadCaller;
import dev.waybill.runtime.assistant.Assistant;
import dev.waybill.runtime.assistant.AssistantCatalog;
import dev.waybill.runtime.storage.Owner;
import dev.waybill.runtime.storage.RunFence;
import dev.waybill.runtime.storage.RunStorage;
import dev.waybill.runtime.storage.RunStorage.Begun;
import dev.waybill.runtime.storage.RunStorage.EventChunk;
import dev.waybill.runtime.storage.RunStorage.Kind;
import dev.waybill.runtime.storage.RunStorage.MultitaskStrategy;
import dev.waybill.runtime.storage.RunStorage.NewRun;
import dev.waybill.runtime.storage.RunStorage.Replica;
import dev.waybill.runtime.storage.RunStorage.RunEnd;
import dev.waybill.runtime.storage.RuntimeStorage;
import io.smallrye.mutiny.Uni;

/** Events of a run that are stored for clients of other replicas. */
@RuntimeTest
class EventRelayTest {

    private static final Owner OWNER = new Owner("local");
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @Inject
    RuntimeStorage storage;

    @Inject
    RunLifecycleService lifecycle;

    @Inject
    AssistantCatalog assistants;

    @Inject
    ObjectMapper mapper;

    private Run run;
    private RunFence fence;

    @BeforeEach
    void begin() throws IOException {
        UUID thread = UUID.fromString(ThreadCaller.create().id());
        CreateRunRequest body = mapper.readValue(Bodies.threads("hello", "\"stream_resumable\": true"), CreateRunRequest.class);
        Assistant assistant = Assistant.of(assistants.require("threads"));
        run = lifecycle.register(new Run.Origin(UUID.randomUUID(), assistant, "local", thread), body);
        UUID replica = UUID.randomUUID();
        await(runs().renew(new Replica(replica, Duration.ofMinutes(10), List.of(), List.of())));
        fence = ((Begun.Running) await(runs().begin(new NewRun(OWNER, thread, run.id(), Kind.RUN, replica, assistant.id(),
                MultitaskStrategy.ENQUEUE, "{}", new byte[0], null, null)))).fence();
    }

    @AfterEach
    void end() {
        run.finish(new Run.End(RunStatus.SUCCESS, null, null));
    }

    @Test
    void storesRetainedAndLaterEventsInOrder() {
        await(runs().appendEvents(fence,
                List.of(new EventChunk(7, 9, "of an earlier attempt".getBytes(StandardCharsets.UTF_8)))));
        add(3);
        EventRelay relay = relay();
        relay.start();
        Patience.await().until(() -> stored().contains(id(2)));
        add(200);
        relay.finish().toCompletableFuture().join();

        assertThat(stored().lines().filter(line -> line.startsWith("id: ")))
                .containsExactlyElementsOf(IntStream.range(0, 203).mapToObj(this::id).toList());
        assertThat(run.log().hasReaders()).isFalse();
    }

    @Test
    void leavesOutLargeEvents() {
        EventRelay relay = relay();
        relay.start();
        run.event("values", "", ("\"" + "x".repeat(2 << 20) + "\"").getBytes(StandardCharsets.UTF_8), 0);
        run.flush();
        Patience.await().until(() -> run.log().bytes() < 1 << 20);
        add(1);
        relay.finish().toCompletableFuture().join();

        assertThat(stored().lines().filter(line -> line.startsWith("id: "))).containsExactly(id(1));
    }

    @Test
    void storesEventsBesideLargeOnes() {
        run.log().openAtStart(() -> {
            // Retains the events until the relay reads them together.
        });
        add(1);
        run.event("values", "", ("\"" + "x".repeat(2 << 20) + "\"").getBytes(StandardCharsets.UTF_8), 0);
        add(1);
        EventRelay relay = relay();
        relay.start();
        relay.finish().toCompletableFuture().join();

        assertThat(stored().lines().filter(line -> line.startsWith("id: "))).containsExactly(id(0), id(2));
    }

    @Test
    void failsWhenItsFenceIsLost() {
        EventRelay relay = relay();
        relay.start();
        await(runs().end(fence, RunEnd.rolledBack()));
        add(1);

        Patience.await().until(relay::isReplaceable);
        assertThat(relay.finish().toCompletableFuture()).isCompleted();
        assertThat(run.log().hasReaders()).isFalse();
    }

    @Test
    void finishesWhenStoringThrows() {
        EventRelay relay = new EventRelay(run, fence, operation -> {
            throw new IllegalStateException("closed");
        }, null);
        relay.start();
        add(1);

        assertThat(relay.finish().toCompletableFuture()).isCompleted();
        assertThat(run.log().hasReaders()).isFalse();
    }

    @Test
    void slowStorageReceivesAllEventsOfAFullLog() {
        byte[] json = ("\"" + "x".repeat(8 << 10) + "\"").getBytes(StandardCharsets.UTF_8);
        IntStream.range(0, 20).forEach(i -> run.event("values", "", json, 0));
        CompletableFuture<Void> delay = new CompletableFuture<>();
        EventRelay relay = new EventRelay(run, fence,
                operation -> delay.thenCompose(ignored -> operation.apply(runs()).subscribeAsCompletionStage()), null);
        relay.start();
        IntStream.range(0, 20).forEach(i -> run.event("values", "", json, 0));
        add(1);
        delay.complete(null);
        relay.finish().toCompletableFuture().join();

        List<String> ids = stored().lines().filter(line -> line.startsWith("id: ")).toList();
        assertThat(ids).contains(id(19)).containsExactlyElementsOf(
                IntStream.rangeClosed(41 - ids.size(), 40).mapToObj(this::id).toList());
    }

    @Test
    void continuesAfterAPauseWithTheNextEvent() {
        add(3);
        EventRelay paused = relay();
        paused.start();
        Patience.await().until(() -> stored().contains(id(2)));
        paused.pause();
        add(3);

        EventRelay relay = relay(paused);
        relay.start();
        relay.finish().toCompletableFuture().join();

        assertThat(stored().lines().filter(line -> line.startsWith("id: ")))
                .containsExactlyElementsOf(IntStream.range(0, 6).mapToObj(this::id).toList());
        assertThat(read(-1)).extracting(EventChunk::first).contains(3L);
    }

    @Test
    void startsAgainWhenItsNextEventsWereDiscarded() {
        add(1);
        EventRelay paused = relay();
        paused.start();
        Patience.await().until(() -> stored().contains(id(0)));
        paused.pause();
        byte[] large = ("\"" + "x".repeat(1 << 20) + "\"").getBytes(StandardCharsets.UTF_8);
        IntStream.range(0, 5).forEach(i -> run.event("values", "", large, 0));
        add(1);

        EventRelay relay = relay(paused);
        relay.start();
        relay.finish().toCompletableFuture().join();

        assertThat(stored()).contains(id(6)).doesNotContain(id(0) + "\n");
    }

    private void add(int count) {
        for (int i = 0; i < count; i++) {
            run.event("values", "", "{\"a\": 1}".getBytes(StandardCharsets.UTF_8), 0);
            run.flush();
        }
    }

    private EventRelay relay() {
        return relay(null);
    }

    private EventRelay relay(@Nullable EventRelay previous) {
        return new EventRelay(run, fence, operation -> operation.apply(runs()).subscribeAsCompletionStage(), previous);
    }

    private String id(int number) {
        return "id: " + run.id() + ":" + number;
    }

    private String stored() {
        StringBuilder events = new StringBuilder();
        long after = -1;
        for (List<EventChunk> chunks = read(after); !chunks.isEmpty(); chunks = read(after)) {
            events.append(chunks.stream().map(chunk -> new String(chunk.events(), StandardCharsets.UTF_8))
                    .collect(Collectors.joining()));
            after = chunks.getLast().last();
        }
        return events.toString();
    }

    private List<EventChunk> read(long after) {
        return await(runs().readEvents(OWNER, run.id(), after)).orElseThrow().chunks();
    }

    private RunStorage runs() {
        return storage.find().orElseThrow().runs();
    }

    private static <T> T await(Uni<T> result) {
        return result.await().atMost(PATIENCE);
    }
}
