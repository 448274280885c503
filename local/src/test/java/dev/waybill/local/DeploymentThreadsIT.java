package dev.waybill.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.local.stack.ApplicationProcesses;

/** Deployed applications remember threads in PostgreSQL, each its own ones. */
@Tag("full")
class DeploymentThreadsIT {

    private static final Duration TIMEOUT = Duration.ofMinutes(10);
    private static final String PASSWORD = "WAYBILL_RUNTIME_THREADS_DATABASE_PASSWORD";

    private final Workspace workspace = Workspace.create("threads");
    private final Http http = new Http();
    private final String thread = UUID.randomUUID().toString();

    @TempDir
    private Path folder;

    private AgentRepository repository;

    @BeforeEach
    void serve() {
        repository = AgentRepository.of(folder.resolve("agent.git"),
                RunningStack.root().resolve("deployment-runtime/samples/approval-js"));
        // As in the README of the samples.
        repository.commitWith(".npmrc", "legacy-peer-deps=true\n");
    }

    @AfterEach
    void close() {
        repository.close();
        http.close();
    }

    @Test
    void threadOutlivesRedeploymentAndBelongsToItsDeployment() throws IOException {
        AgentDeployment first = deployed(workspace.name());
        send(first, "POST", "/threads", 200, "{\"thread_id\": \"%s\"}".formatted(thread));
        run(first, input("Tell the team."));
        assertThat(status(first)).isEqualTo("interrupted");

        // Another revision continues at the question.
        repository.commitWith("NOTES.md", "The second revision.");
        UUID second = first.update();
        first.awaitDeployed(second);
        assertThat(status(first)).isEqualTo("interrupted");
        assertThat(run(first, "\"command\": {\"resume\": \"approve\"}").toString()).contains("Sent: Draft 1: Tell the team.");
        assertThat(run(first, input("Thank everybody.")).path("draft").textValue()).isEqualTo("Draft 2: Thank everybody.");

        // Another deployment of the same workspace has other threads.
        AgentDeployment other = deployed(workspace.name() + "-other");
        assertThat(send(other, "POST", "/threads/search", 200, "{}").isEmpty()).isTrue();
        send(other, "GET", "/threads/" + thread, 404, null);
        send(other, "GET", "/threads/" + thread + "/history", 404, null);
        send(other, "POST", "/threads/" + thread + "/runs/wait", 404, "{\"assistant_id\": \"agent\", " + input("Mine.") + "}");
        assertThat(status(first)).isEqualTo("interrupted");

        assertPasswordIsOnlyInTheRuntime(first);
        first.delete();
        await().atMost(TIMEOUT).untilAsserted(() -> assertThat(first.folder()).doesNotExist());
        assertThat(send(other, "POST", "/threads/search", 200, "{}").isEmpty()).isTrue();
    }

    private AgentDeployment deployed(String name) {
        AgentDeployment deployment = AgentDeployment.create(workspace, name, repository);
        deployment.awaitDeployed(deployment.latestRevision());
        return deployment;
    }

    private static String input(String request) {
        return "\"input\": {\"messages\": [{\"role\": \"user\", \"content\": \"%s\"}]}".formatted(request);
    }

    private JsonNode run(AgentDeployment deployment, String what) {
        return send(deployment, "POST", "/threads/" + thread + "/runs/wait", 200,
                "{\"assistant_id\": \"agent\", " + what + "}");
    }

    private String status(AgentDeployment deployment) {
        return send(deployment, "GET", "/threads/" + thread, 200, null).path("status").textValue();
    }

    private JsonNode send(AgentDeployment deployment, String method, String path, int status, String body) {
        Http.Response response = http.send(method, deployment.url().resolve(path), workspace.apiKey(), body);
        assertThat(response.status()).as(response.body()).isEqualTo(status);
        return response.json();
    }

    private void assertPasswordIsOnlyInTheRuntime(AgentDeployment deployment) throws IOException {
        Map<Boolean, Long> processes = ApplicationProcesses.of(deployment.folder()).stream()
                .collect(Collectors.partitioningBy(process -> environment(process).containsKey(PASSWORD),
                        Collectors.counting()));
        assertThat(processes.get(true)).isPositive();
        assertThat(processes.get(false)).isPositive();
        String password = ApplicationProcesses.of(deployment.folder()).stream().map(DeploymentThreadsIT::environment)
                .filter(environment -> environment.containsKey(PASSWORD)).findFirst().orElseThrow().get(PASSWORD);
        assertThat(http.responses()).noneMatch(response -> response.body().contains(password));
        try (Stream<Path> files = Files.walk(deployment.folder())) {
            assertThat(files.filter(Files::isRegularFile).filter(file -> file.toString().endsWith(".log")))
                    .noneMatch(file -> text(file).contains(password));
        }
    }

    private static Map<String, String> environment(ProcessHandle process) {
        Map<String, String> variables = new TreeMap<>();
        for (String variable : text(Path.of("/proc/" + process.pid() + "/environ")).split("\0")) {
            int end = variable.indexOf('=');
            variables.put(variable.substring(0, Math.max(0, end)), variable.substring(end + 1));
        }
        return variables;
    }

    private static String text(Path file) {
        try {
            return new String(Files.readAllBytes(file), java.nio.charset.StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return "";
        }
    }
}
