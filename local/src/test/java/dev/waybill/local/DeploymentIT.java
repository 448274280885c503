package dev.waybill.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.local.client.RunEvent;
import dev.waybill.local.stack.ApplicationProcesses;
import dev.waybill.local.stack.ServiceKind;
import dev.waybill.local.stack.ServiceProcess;
import dev.waybill.local.storage.FreePort;

/** From a repository to a running application: the packaged control plane, its local engine and the packaged runtime. */
class DeploymentIT {

    private static final Duration LIMIT = Duration.ofMinutes(3);

    private final Workspace workspace = Workspace.create("deployment");

    @TempDir
    private Path folder;

    private AgentRepository repository;

    @BeforeEach
    void serve() {
        repository = AgentRepository.in(folder.resolve("agent.git"));
    }

    @AfterEach
    void close() {
        repository.close();
    }

    @Test
    void anApplicationIsDeployedReplacedUnderLoadKeptThroughAFailureAndDeletedWholly() throws IOException {
        // Given: deployed
        String commit = repository.commit("The first");
        AgentDeployment deployment = AgentDeployment.create(workspace, repository);
        String first = deployment.latestRevision();
        deployment.awaitDeployed(first);
        assertThat(deployment.get().required("status").textValue()).isEqualTo("READY");
        assertThat(deployment.get().required("active_revision_id").textValue()).isEqualTo(first);
        assertThat(deployment.revision(first).at("/source_revision_config/repo_commit_sha").textValue()).isEqualTo(commit);
        assertThat(deployment.description()).isEqualTo("The first");
        List<RunEvent> events = new ArrayList<>();
        deployment.application().stream("one two", "messages-tuple", events::add);
        assertThat(events).extracting(RunEvent::name).containsExactly("metadata", "messages", "messages", "end");

        // When, then: updated while requests come all the time
        repository.commit("The second");
        String second;
        try (Probe probe = Probe.on(deployment)) {
            second = deployment.update();
            deployment.awaitDeployed(second);
            probe.awaitMore();
            await().atMost(LIMIT).untilAsserted(() -> assertThat(revisions(deployment)).containsExactly(second));
            probe.awaitMore();
            assertThat(probe.failures()).isEmpty();
        }
        assertThat(deployment.description()).isEqualTo("The second");

        // When, then: an update that fails
        repository.commitWithoutConfiguration();
        String third = deployment.update();
        JsonNode failed = deployment.awaitSettled(third);
        assertThat(failed.required("status").textValue()).isEqualTo("BUILD_FAILED");
        assertThat(failed.required("status_message").textValue()).contains("no configuration file \"langgraph.json\"");
        assertThat(deployment.get().required("active_revision_id").textValue()).isEqualTo(second);
        assertThat(deployment.description()).isEqualTo("The second");

        // When, then: deleted
        deployment.delete();
        await().atMost(LIMIT).untilAsserted(() -> {
            assertThat(deployment.folder()).doesNotExist();
            assertThat(ApplicationProcesses.of(deployment.folder())).isEmpty();
            assertThat(FreePort.isFree(deployment.url().getPort())).isTrue();
        });
    }

    @Test
    void aRolloutGoesOnAfterTheControlPlaneWasKilledInTheMiddleOfItAndTheApplicationServesMeanwhile() throws IOException {
        // Given
        repository.commit("The first");
        AgentDeployment deployment = AgentDeployment.create(workspace, repository);
        deployment.awaitDeployed(deployment.latestRevision());
        try (Probe probe = Probe.on(deployment)) {

            // When: killed while it fetches
            repository.commit("Killed while it was built");
            String built;
            try (GitServer.Hold hold = repository.server.hold()) {
                built = deployment.update();
                await().atMost(LIMIT).until(hold::isReached);
                assertThat(deployment.revision(built).required("status").textValue()).isEqualTo("BUILDING");
                kill();
                probe.awaitMore();
            }
            restart();

            // Then
            deployment.awaitDeployed(built);
            assertThat(deployment.description()).isEqualTo("Killed while it was built");

            // When: killed while the new one starts, which it does once it is let
            Path let = folder.resolve("let");
            repository.commit("Killed while it was started", "sh", "-c",
                    "touch '" + folder + "/started'; while [ ! -e '" + let + "' ]; do sleep 0.1; done; exec java Agent.java");
            String started = deployment.update();
            await().atMost(LIMIT).until(() -> Files.exists(folder.resolve("started")));
            assertThat(deployment.revision(started).required("status").textValue()).isEqualTo("DEPLOYING");
            kill();
            probe.awaitMore();
            Files.createFile(let);
            restart();

            // Then
            deployment.awaitDeployed(started);
            assertThat(deployment.description()).isEqualTo("Killed while it was started");
            probe.awaitMore();
            assertThat(probe.failures()).isEmpty();
        }

        // When: ended in order, with its applications as the stack has it
        workspace.running().stack.service(ServiceKind.CONTROL_PLANE).stop();
        assertThat(ApplicationProcesses.of(deployment.folder())).isEmpty();
        restart();

        // Then
        await().atMost(LIMIT).ignoreExceptions()
                .untilAsserted(() -> assertThat(deployment.description()).isEqualTo("Killed while it was started"));
        deployment.delete();
        await().atMost(LIMIT).untilAsserted(() -> assertThat(ApplicationProcesses.of(deployment.folder())).isEmpty());
    }

    private void kill() {
        workspace.running().stack.service(ServiceKind.CONTROL_PLANE).kill();
    }

    private void restart() {
        ServiceProcess service = workspace.running().stack.service(ServiceKind.CONTROL_PLANE);
        service.start();
        service.awaitReady();
    }

    /** @return the revisions that have files on this machine */
    private static List<String> revisions(AgentDeployment deployment) throws IOException {
        try (var entries = Files.list(deployment.folder())) {
            return entries.filter(Files::isDirectory).map(entry -> entry.getFileName().toString())
                    .filter(name -> !name.equals("builds")).toList();
        }
    }
}
