package dev.waybill.controlplane.engine.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

import org.junit.jupiter.api.Test;

import dev.waybill.controlplane.engine.RevisionSpec;

/** Steps of a deployment that another control plane of the same machine has deleted. */
class DeletedDeploymentTest extends LocalEngineScenario {

    @Test
    void stepAfterADeletionLeavesNothing() throws IOException {
        // Given
        RevisionSpec plan = fixture.plan(deployment, 1, port, fixture.repository.commit());
        fixture.stop(fixture.engine(), deployment);

        // When
        fixture.prepare(engine, plan);
        fixture.startOnce(engine, plan);

        // Then
        assertThat(fixture.deployment(deployment)).doesNotExist();
        assertThat(fixture.processes(plan)).isEmpty();
    }

    @Test
    void filesOfAStepThatACrashEndedAreRemoved() throws IOException {
        // Given: the control plane was killed between the two
        fixture.stop(engine, deployment);
        Path folder = Files.createDirectories(fixture.deployment(deployment).resolve(UUID.randomUUID().toString()));
        Path other = Files.createDirectories(fixture.deployment(UUID.randomUUID()));

        // When
        LocalEngine restarted = fixture.engine();
        restarted.begin();

        // Then
        await().atMost(LocalEngineFixture.TIMEOUT).until(() -> Files.notExists(folder.getParent()));
        assertThat(other).exists();
        restarted.detach();
    }
}
