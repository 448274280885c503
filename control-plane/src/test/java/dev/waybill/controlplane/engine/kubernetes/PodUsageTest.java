package dev.waybill.controlplane.engine.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.waybill.controlplane.engine.ApplicationUsage;
import dev.waybill.controlplane.engine.Engine.ApplicationId;
import dev.waybill.controlplane.engine.RevisionSpec;
import dev.waybill.controlplane.engine.kubernetes.manifest.ObjectNames;
import io.fabric8.mockwebserver.http.MockResponse;

/** Usage of pods, with fabric8's mock server. */
class PodUsageTest {

    @TempDir
    private Path folder;
    private KubernetesEngineFixture fixture;
    private RevisionSpec plan;

    @BeforeEach
    void start() throws IOException {
        fixture = new KubernetesEngineFixture(folder, Map.of());
        plan = fixture.deployed(1);
    }

    @AfterEach
    void end() {
        fixture.close();
    }

    @Test
    void restartsAndMetricsOfThePodsAreSummedUp() {
        // Given
        fixture.cluster.pod(ObjectNames.revision(plan.revisionId()),
                PodFixture.pod().running("application", 3, "OOMKilled", 137).ready().status());
        metrics(new MockResponse().setResponseCode(200).setBody("""
                {"kind": "PodMetricsList", "items": [
                    {"containers": [{"name": "application", "usage": {"cpu": "1500000000n", "memory": "2048Ki"}}]},
                    {"containers": [{"name": "application", "usage": {"cpu": "250m", "memory": "1Mi"}}]}]}"""));

        // Then
        assertThat(usage()).isEqualTo(new ApplicationUsage(1, 1, 3L, 1.75, 3L << 20, null));
    }

    @Test
    void cpuAndMemoryAreUnknownWithoutTheMetricsApi() {
        for (MockResponse response : new MockResponse[] { FakeCluster.error(404, "not found"),
                FakeCluster.error(403, "forbidden"), FakeCluster.error(503, "away"),
                new MockResponse().setResponseCode(200).setBody("{\"items\": []}"),
                new MockResponse().setResponseCode(200).setBody("no JSON") }) {
            fixture.cluster.removeInterceptors();
            metrics(response);

            assertThat(usage()).isEqualTo(new ApplicationUsage(1, 1, 0L, null, null, null));
        }
    }

    private void metrics(MockResponse response) {
        fixture.cluster.intercept(request -> request.getPath().contains("/metrics.k8s.io/") ? response : null);
    }

    private ApplicationUsage usage() {
        return KubernetesEngineFixture.await(fixture.engine.usage(
                new ApplicationId(plan.tenantId(), plan.deploymentId(), plan.revisionId())));
    }
}
