package dev.waybill.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.waybill.client.RunEvent;
import dev.waybill.common.api.deployment.DeploymentStatus;
import dev.waybill.common.api.deployment.RevisionResponse;
import dev.waybill.common.api.deployment.RevisionStatus;
import dev.waybill.local.stack.ApplicationProcesses;
import dev.waybill.local.stack.ServiceKind;
import dev.waybill.local.stack.ServiceProcess;
import dev.waybill.local.storage.FreePort;

/**
 * Deploys, updates and deletes an application with the packaged control plane, its local engine and the packaged runtime.
 * {@code ControlPlanesIT} tests crashes.
 */
class DeploymentIT {

    private static final Duration TIMEOUT = Duration.ofMinutes(10);

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
    void deploysUpdatesUnderLoadSurvivesRestartAndDeletes() throws IOException {
        // Given: deployed
        String commit = repository.commit("The first");
        AgentDeployment deployment = AgentDeployment.create(workspace, repository);
        UUID first = deployment.latestRevision();
        deployment.awaitDeployed(first);
        assertThat(deployment.get().status()).isEqualTo(DeploymentStatus.READY);
        assertThat(deployment.get().activeRevisionId()).isEqualTo(first);
        assertThat(deployment.revision(first).sourceRevisionConfig().repoCommitSha()).isEqualTo(commit);
        assertThat(deployment.application().assistant().description()).isEqualTo("The first");
        List<RunEvent> events = new ArrayList<>();
        String run = deployment.application().stream("one two", "messages-tuple", events::add);
        assertThat(events).extracting(RunEvent::name).containsExactly("metadata", "messages", "messages", "end");
        // The trace belongs to the workspace.
        assertThat(deployment.application().awaitTrace(run, 1).getFirst().required("id").textValue()).isEqualTo(run);

        // When, then: an update under load
        repository.commit("The second");
        UUID second;
        try (Probe probe = Probe.start(deployment)) {
            second = deployment.update();
            deployment.awaitDeployed(second);
            probe.awaitMore();
            await().atMost(TIMEOUT).untilAsserted(() -> assertThat(revisions(deployment)).containsExactly(second.toString()));
            probe.awaitMore();
            assertThat(probe.failures()).isEmpty();
        }
        assertThat(deployment.application().assistant().description()).isEqualTo("The second");

        // When, then: an update that fails
        repository.commitWithoutConfiguration();
        UUID third = deployment.update();
        RevisionResponse failed = deployment.awaitSettled(third);
        assertThat(failed.status()).isEqualTo(RevisionStatus.BUILD_FAILED);
        assertThat(failed.statusMessage()).contains("no configuration file \"langgraph.json\"");
        assertThat(deployment.get().activeRevisionId()).isEqualTo(second);
        assertThat(deployment.application().assistant().description()).isEqualTo("The second");

        // When, then: a restart of the control plane, which stops its applications
        workspace.running().stack.service(ServiceKind.CONTROL_PLANE).stop();
        await().atMost(TIMEOUT).untilAsserted(() -> assertThat(ApplicationProcesses.of(deployment.folder())).isEmpty());
        restart();
        await().atMost(TIMEOUT).ignoreExceptions()
                .untilAsserted(() -> assertThat(deployment.application().assistant().description()).isEqualTo("The second"));

        // When, then: deleted
        deployment.delete();
        await().atMost(TIMEOUT).untilAsserted(() -> {
            assertThat(deployment.folder()).doesNotExist();
            assertThat(ApplicationProcesses.of(deployment.folder())).isEmpty();
            assertThat(FreePort.isFree(deployment.url().getPort())).isTrue();
        });
    }

    private void restart() {
        ServiceProcess service = workspace.running().stack.service(ServiceKind.CONTROL_PLANE);
        service.start();
        service.awaitReady();
    }

    /** Returns the revisions that have files. */
    private static List<String> revisions(AgentDeployment deployment) throws IOException {
        try (var entries = Files.list(deployment.folder())) {
            return entries.filter(Files::isDirectory).map(entry -> entry.getFileName().toString())
                    .filter(name -> !name.equals("builds")).toList();
        }
    }
}
