package dev.waybill.runtime.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.common.application.Application;
import dev.waybill.common.application.ApplicationFile;
import dev.waybill.runtime.Settings;
import dev.waybill.runtime.checkpoint.CheckpointRequests;
import dev.waybill.runtime.protocol.Message.Step;
import dev.waybill.runtime.worker.RunSink.Outcome;
import dev.waybill.runtime.worker.Workers.RunHandle;

/** The samples in all languages with their interpreters. */
class ShimsTest {

    private static final ObjectMapper MAPPER = new ObjectMapper();
    /** Forces every worker to wait for credit. */
    private static final Map<String, String> SMALL_CREDIT = Map.of("waybill.runtime.worker.initial-credit", "700");

    @ParameterizedTest
    @ValueSource(strings = { "java", "node", "python" })
    void sampleSucceedsFailsAndIsCancelled(String sample) throws Exception {
        // Given
        Application application = ApplicationFile.read(
                Path.of(System.getProperty("waybill.root"), "deployment-runtime/samples", sample), "langgraph.json");
        Shims shims = new Shims(application);
        Workers workers = new Workers(application, Settings.of(WorkerConfig.class, SMALL_CREDIT), shims);
        workers.begin(null);
        try {
            // When
            Collected echo = start(workers, "hällo \\\"you\\\" 😀");
            Collected failing = start(workers, "fail");
            Collected many = start(workers, "tokens:2000");
            Collected endless = start(workers, "tokens:100000 delay:20");
            endless.handle.cancel();

            // Then
            assertThat(echo.outcome()).isInstanceOfSatisfying(Outcome.Completed.class, completed -> assertThat(
                    completed.values().at("/messages/1/content").textValue()).isEqualTo("hällo \"you\" 😀"));
            assertThat(echo.events).first().asString().startsWith("values ");
            assertThat(echo.events).filteredOn(event -> event.startsWith("messages ")).hasSize(3);
            assertThat(echo.events).filteredOn(event -> event.startsWith("custom ")).hasSize(3);
            assertThat(echo.events).last().asString().startsWith("values ");
            assertThat(echo.steps.getFirst().name()).isEqualTo(sample.equals("java") ? "echo" : "graph");
            assertThat(echo.steps.getLast().times().end()).isNotNull();
            assertThat(echo.steps.getLast().times().firstToken()).isNotNull();
            assertThat(MAPPER.readTree(echo.steps.getLast().outputs()).findValuesAsText("content")).last().asString()
                    .isEqualTo("hällo \"you\" 😀");
            assertThat(failing.outcome()).isEqualTo(new Outcome.Failed("AskedToFail", "The agent was asked to fail."));
            assertThat(many.outcome()).isInstanceOf(Outcome.Completed.class);
            assertThat(many.events).filteredOn(event -> event.startsWith("messages ")).hasSize(2000);
            assertThat(endless.outcome()).isInstanceOf(Outcome.Cancelled.class);
        } finally {
            workers.stop();
            shims.clean();
        }
        assertThat(workers.unready()).containsExactly("agent");
    }

    @ParameterizedTest
    @ValueSource(strings = { "node", "python" })
    void tooLargeEventsAreOmittedAndResultIsComplete(String sample) throws Exception {
        // Given
        Application application = ApplicationFile.read(
                Path.of(System.getProperty("waybill.root"), "deployment-runtime/samples", sample), "langgraph.json");
        Shims shims = new Shims(application);
        Workers workers = new Workers(application,
                Settings.of(WorkerConfig.class, Map.of("waybill.runtime.worker.max-line-size", "1M")), shims, () -> {
                }, new CheckpointRequests(run -> Optional.empty(), 1 << 20));
        workers.begin(null);
        try {
            // When
            String text = "x".repeat(6 << 20);
            Collected run = start(workers, text);

            // Then
            assertThat(run.outcome()).isInstanceOfSatisfying(Outcome.Completed.class,
                    completed -> assertThat(completed.values().at("/messages/1/content").textValue()).isEqualTo(text));
            assertThat(run.events).filteredOn(event -> event.startsWith("omitted "))
                    .contains("omitted values", "omitted messages", "omitted updates");
            assertThat(run.events).allMatch(event -> event.length() < 1 << 20);
        } finally {
            workers.stop();
            shims.clean();
        }
    }

    /** A run whose client reads every event immediately. */
    private static Collected start(Workers workers, String message) throws Exception {
        ObjectNode request = JsonNodeFactory.instance.objectNode();
        request.set("input", MAPPER.readTree("{\"messages\": [{\"role\": \"user\", \"content\": \"" + message + "\"}]}"));
        List.of("messages", "values", "updates", "custom").forEach(request.putArray("stream_modes")::add);
        request.put("steps", 100_000);
        Collected collected = new Collected();
        collected.handle = workers.start(UUID.randomUUID(), "agent", request, collected);
        collected.started.complete(null);
        return collected;
    }

    private static final class Collected implements RunSink {

        private final List<String> events = Collections.synchronizedList(new ArrayList<>());
        private final List<Step> steps = Collections.synchronizedList(new ArrayList<>());
        private final CompletableFuture<Void> started = new CompletableFuture<>();
        private final CompletableFuture<Outcome> ended = new CompletableFuture<>();
        private RunHandle handle;

        @Override
        public void event(String mode, String namespace, byte[] json, int cost) {
            events.add(mode + namespace + " " + new String(json, StandardCharsets.UTF_8));
            started.thenRunAsync(() -> handle.releaseCredit(cost));
        }

        @Override
        public void omitted(String mode, String namespace, int cost) {
            events.add("omitted " + mode + namespace);
            started.thenRunAsync(() -> handle.releaseCredit(cost));
        }

        @Override
        public void step(Step step) {
            steps.add(step);
        }

        @Override
        public void ended(Outcome outcome) {
            ended.complete(outcome);
        }

        Outcome outcome() throws Exception {
            return ended.get(2, TimeUnit.MINUTES);
        }
    }
}
