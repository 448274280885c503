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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.waybill.controlplane.engine.Engine.Observation;
import dev.waybill.controlplane.engine.Engine.Outcome;
import dev.waybill.controlplane.engine.RevisionSpec;
import dev.waybill.controlplane.engine.RevisionSpec.ApplicationSource;
import dev.waybill.controlplane.engine.RevisionSpec.ResourceSpec;
import dev.waybill.controlplane.engine.kubernetes.manifest.ObjectNames;

/** A control plane that crashes between any two of its requests: the next one resumes and leaves no orphaned objects. */
@Tag("full")
class ControlPlaneCrashTest {

    private static final Set<String> WRITING = Set.of("POST", "PUT", "PATCH", "DELETE");
    private static final int MAX_CRASHES = 50;
    private static final ResourceSpec SCALED = new ResourceSpec(2, 5, null, null, null, null);

    @TempDir
    private Path folder;

    private KubernetesEngineFixture fixture;

    @BeforeEach
    void begin() throws IOException {
        fixture = new KubernetesEngineFixture(folder, Map.of("ingress.host", "{id}.apps.example.com"));
    }

    @AfterEach
    void end() {
        fixture.close();
    }

    @Test
    void deploymentResumesAfterACrashAtAnyRequest() throws IOException {
        ApplicationSource source = fixture.plan(1).source();
        int crashes = 0;
        for (boolean crashed = true; crashed && crashes < MAX_CRASHES; crashes++) {
            // Given
            RevisionSpec plan = fixture.plan(crashes + 1, source, SCALED);
            failAfter(crashes);

            // When: it crashes after that number of requests, and another one resumes
            crashed = catchThrowable(() -> deploy(plan)) != null;
            fixture.cluster.removeInterceptors();
            deploy(plan);

            // Then
            String revision = ObjectNames.revision(plan.revisionId());
            assertThat(fixture.objects()).contains("ConfigMap " + revision, "Secret " + revision, "Secret " + revision + "-git",
                    "HorizontalPodAutoscaler " + revision, "PodDisruptionBudget " + revision, "Deployment " + revision,
                    "Ingress " + ObjectNames.deployment(plan.deploymentId()));
            assertThat(fixture.routedRevision()).isEqualTo(plan.revisionId());
            assertThat(fixture.observe(plan)).isEqualTo(new Observation.Serving());
        }
        assertThat(crashes).as("number of requests before a crash").isBetween(6, MAX_CRASHES - 1);
    }

    @Test
    void deletionResumesAfterACrashAtAnyRequest() throws IOException {
        ApplicationSource source = fixture.plan(1).source();
        int crashes = 0;
        for (boolean crashed = true; crashed && crashes < MAX_CRASHES; crashes++) {
            // Given
            RevisionSpec plan = fixture.plan(crashes + 1, source, SCALED);
            deploy(plan);
            failAfter(crashes);

            // When
            crashed = catchThrowable(() -> fixture.stop()) != null;
            fixture.cluster.removeInterceptors();
            fixture.stop();
            fixture.deletePods(plan);

            // Then
            assertThat(fixture.stop()).isEqualTo(new Outcome.Done());
            assertThat(fixture.objects()).isEqualTo(List.of());
        }
        assertThat(crashes).as("number of requests before a crash").isBetween(6, MAX_CRASHES - 1);
    }

    /** Rejects all writes after the given number of requests. */
    private void failAfter(int requests) {
        AtomicInteger left = new AtomicInteger(requests);
        fixture.cluster.intercept(request -> WRITING.contains(request.getMethod()) && isEngineRequest(request.getPath())
                && left.getAndDecrement() <= 0 ? FakeCluster.error(403, "crashed") : null);
    }

    /** Returns whether the engine sends the request, not the test in the role of the cluster. */
    private static boolean isEngineRequest(String path) {
        return !path.contains("/pods") && !path.contains("/status");
    }

    private void deploy(RevisionSpec plan) {
        String revision = ObjectNames.revision(plan.revisionId());
        fixture.prepare(plan);
        fixture.cluster.pod(revision, PodFixture.pod().running("application").ready().status());
        assertThat(fixture.prepare(plan)).isEqualTo(new Outcome.Done());
        fixture.cluster.ready(revision, 2);
        assertThat(fixture.start(plan)).isEqualTo(new Outcome.Done());
    }
}
