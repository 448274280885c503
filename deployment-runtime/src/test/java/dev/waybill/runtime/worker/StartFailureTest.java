package dev.waybill.runtime.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.waybill.common.application.Application;
import dev.waybill.common.application.ApplicationFile;
import dev.waybill.runtime.Settings;
import dev.waybill.runtime.protocol.Capabilities;

/** Workers in all languages that cannot start: the reason is written once, for the user. */
class StartFailureTest {

    private static final long PATIENCE_SECONDS = 120;
    private static final ObjectMapper MAPPER = new ObjectMapper();

    @TempDir
    private Path directory;

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            agent.mjs:graph | export const other = 1;              | is missing: ./agent.mjs exports other, but not "graph".       | Fix graphs.agent
            agent.mjs:graph | export const graph = 1;              | is not a graph: it has no method "stream".                    | Fix graphs.agent
            agent.mjs:graph | import "not-installed-anywhere";     | Cannot find package 'not-installed-anywhere'                  | Add the missing module
            agent.mjs:graph | import "./missing.mjs";              | Cannot find module 'missing.mjs' imported from                | Add the missing module
            agent.mjs:graph | console.log("last"); process.exit(4) | ended with exit code 4 before it was ready.                   | the log has
            agent.mjs:graph | throw new Error("bad key");          | cannot load it: Error: bad key.                               | the log has
            agent.mjs:graph | const graph = ;                      | SyntaxError: Unexpected token ';'.                            | the log has
            agent.py:graph  | other = 1                            | is missing: ./agent.py has no "graph".                        | Fix graphs.agent
            agent.py:graph  | graph = 1                            | is not a graph: it has no method "astream".                   | Fix graphs.agent
            agent.py:graph  | import not_installed_anywhere        | ModuleNotFoundError: No module named 'not_installed_anywhere' | Add the missing module
            agent.py:graph  | import sys; sys.exit(4)              | ended with exit code 4 before it was ready.                   | the log has
            agent.py:graph  | graph = (                            | SyntaxError: '(' was never closed                             | the log has
            """)
    void writesCauseAndAdviceOfModules(String graph, String source, String cause, String advice) throws Exception {
        Files.writeString(directory.resolve(graph.substring(0, graph.indexOf(':'))), source);

        List<String> file = failureOf("\"./" + graph + "\"");

        JsonNode reason = reason(file);
        assertThat(reason.path("cause").textValue()).contains(cause).contains("agent").doesNotContain(directory.toString());
        assertThat(reason.path("advice").textValue()).contains(advice);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ["no-such-program-anywhere"]             | the program "no-such-program-anywhere" is not on the PATH. | Install the program
            ["./missing.sh"]                         | its program "missing.sh" cannot be executed:    | Install the program
            ["./not-executable.sh"]                  | its program "not-executable.sh" cannot be executed: | Install the program
            ["sh", "-c", "echo one >&2; exit 3"]     | ended with exit code 3 before it was ready.                 | the log has
            ["sh", "-c", "kill -9 $$"]               | was killed by signal 9 before it was ready.                  | the log has
            ["sh", "-c", "read l; echo '{\\"jsonrpc\\":\\"2.0\\",\\"id\\":1,\\"result\\":{\\"protocol_version\\":9}}'; read l"] | does not support version 1 | the log has
            """)
    void writesCauseAndAdviceOfCommands(String command, String cause, String advice) throws Exception {
        Files.writeString(directory.resolve("not-executable.sh"), "#!/bin/sh\n");

        List<String> file = failureOf("{\"command\": " + command + "}");

        JsonNode reason = reason(file);
        assertThat(reason.path("cause").textValue()).contains(cause).doesNotContain(directory.toString());
        assertThat(reason.path("advice").textValue()).contains(advice);
    }

    @Test
    void writesTheLastTwentyLinesOfTheWorker() throws Exception {
        List<String> file = failureOf(
                "{\"command\": [\"sh\", \"-c\", \"for i in $(seq 5000); do echo line $i >&2; done; exit 1\"]}");

        assertThat(file).hasSize(21).startsWith("line 4981").element(19).isEqualTo("line 5000");
    }

    @Test
    void reportsCrashingWorker() throws Exception {
        List<String> file = failureOf("{\"command\": [\"sh\", \"-c\","
                + " \"read l; echo '{\\\"jsonrpc\\\":\\\"2.0\\\",\\\"id\\\":1,\\\"result\\\":{\\\"protocol_version\\\":1}}'; exit 2\"]}");

        assertThat(reason(file).path("cause").textValue()).contains("ended 3 times soon after its start");
    }

    @Test
    void waitingForAWorkerEndsWhenItDoesNotStart() throws Exception {
        Files.writeString(directory.resolve("langgraph.json"),
                "{\"graphs\": {\"agent\": {\"command\": [\"sh\", \"-c\", \"exit 3\"]}}}");
        Application application = ApplicationFile.read(directory, "langgraph.json");
        Shims shims = new Shims(application);
        Workers workers = new Workers(application, Settings.of(WorkerConfig.class, Map.of()), shims, () -> {
        });
        CompletableFuture<Capabilities> started = workers.started("agent").toCompletableFuture();
        workers.begin(null);
        try {
            assertThat(started).failsWithin(Duration.ofSeconds(PATIENCE_SECONDS)).withThrowableThat()
                    .withMessageContaining("does not start: it ended with exit code 3");
        } finally {
            workers.stop();
            shims.clean();
        }
    }

    private List<String> failureOf(String graph) throws Exception {
        Files.writeString(directory.resolve("langgraph.json"), "{\"graphs\": {\"agent\": " + graph + "}}");
        Application application = ApplicationFile.read(directory, "langgraph.json");
        Path file = directory.resolve("failure");
        Shims shims = new Shims(application);
        CountDownLatch exited = new CountDownLatch(1);
        Workers workers = new Workers(application,
                Settings.of(WorkerConfig.class, Map.of("waybill.runtime.worker.failure-file", file.toString())), shims,
                exited::countDown);
        workers.begin(null);
        try {
            assertThat(exited.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        } finally {
            workers.stop();
            shims.clean();
        }
        return Files.readAllLines(file);
    }

    private static JsonNode reason(List<String> file) throws Exception {
        return MAPPER.readTree(file.getLast());
    }
}
