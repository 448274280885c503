package dev.waybill.controlplane.engine.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.waybill.controlplane.engine.ApplicationSource;
import dev.waybill.controlplane.engine.Observation;
import dev.waybill.controlplane.engine.Outcome;
import dev.waybill.controlplane.engine.Plan;
import dev.waybill.controlplane.engine.ResourceSpec;
import dev.waybill.controlplane.engine.kubernetes.health.Seen;
import dev.waybill.controlplane.engine.kubernetes.manifest.Names;

/** A control plane that ends between any two of its requests: whoever comes after it goes on, and nothing is left. */
class CrashTest {

    private static final Set<String> WRITING = Set.of("POST", "PUT", "PATCH", "DELETE");
    private static final int MOST = 50;
    private static final ResourceSpec SCALED = new ResourceSpec(2, 5, null, null, null, null);

    @TempDir
    private Path folder;

    private ClusterGround ground;

    @BeforeEach
    void begin() throws IOException {
        ground = new ClusterGround(folder, Map.of("ingress.host", "{id}.apps.example.com"));
    }

    @AfterEach
    void end() {
        ground.close();
    }

    @Test
    void deployingGoesOnFromEverywhere() throws IOException {
        ApplicationSource source = ground.plan(1).source();
        int crashes = 0;
        for (boolean crashed = true; crashed && crashes < MOST; crashes++) {
            // Given
            Plan plan = ground.plan(crashes + 1, source, SCALED);
            endAfter(crashes);

            // When: it ends after so many requests, and another begins
            crashed = catchThrowable(() -> deploy(plan)) != null;
            ground.cluster.unhook();
            deploy(plan);

            // Then
            String revision = Names.revision(plan.revisionId());
            assertThat(ground.objects()).contains("ConfigMap " + revision, "Secret " + revision, "Secret " + revision + "-git",
                    "HorizontalPodAutoscaler " + revision, "PodDisruptionBudget " + revision, "Deployment " + revision,
                    "Ingress " + Names.deployment(plan.deploymentId()));
            assertThat(ground.leadsTo()).isEqualTo(plan.revisionId());
            assertThat(ground.observe(plan)).isEqualTo(new Observation.Serving());
        }
        assertThat(crashes).as("requests that it may end after").isBetween(6, MOST - 1);
    }

    @Test
    void deletingGoesOnFromEverywhere() throws IOException {
        ApplicationSource source = ground.plan(1).source();
        int crashes = 0;
        for (boolean crashed = true; crashed && crashes < MOST; crashes++) {
            // Given
            Plan plan = ground.plan(crashes + 1, source, SCALED);
            deploy(plan);
            endAfter(crashes);

            // When
            crashed = catchThrowable(() -> ground.stop()) != null;
            ground.cluster.unhook();
            ground.stop();
            ground.endPods(plan);

            // Then
            assertThat(ground.stop()).isEqualTo(new Outcome.Done());
            assertThat(ground.objects()).isEqualTo(List.of());
        }
        assertThat(crashes).as("requests that it may end after").isBetween(6, MOST - 1);
    }

    /** From then on nothing of what it wants reaches the server. */
    private void endAfter(int requests) {
        AtomicInteger left = new AtomicInteger(requests);
        ground.cluster.hook(request -> WRITING.contains(request.getMethod()) && isOurs(request.getPath())
                && left.getAndDecrement() <= 0 ? FakeCluster.refusal(403, "it has ended") : null);
    }

    /** Not what the test does in the part of the cluster. */
    private static boolean isOurs(String path) {
        return !path.contains("/pods") && !path.contains("/status");
    }

    private void deploy(Plan plan) {
        String revision = Names.revision(plan.revisionId());
        ground.prepare(plan);
        ground.cluster.pod(revision, Seen.pod().running("application").ready().status());
        assertThat(ground.prepare(plan)).isEqualTo(new Outcome.Done());
        ground.cluster.ready(revision, 2);
        assertThat(ground.start(plan)).isEqualTo(new Outcome.Done());
    }
}
