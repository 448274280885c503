package dev.waybill.controlplane.engine.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.waybill.controlplane.engine.Observation;
import dev.waybill.controlplane.engine.Outcome;
import dev.waybill.controlplane.engine.Plan;

/** Refusals of the API server become reasons that name who can do what about them. */
class RefusalsTest {

    @TempDir
    private Path folder;

    private ClusterGround ground;

    @BeforeEach
    void begin() throws IOException {
        ground = new ClusterGround(folder, Map.of());
    }

    @AfterEach
    void end() {
        ground.close();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            404 | namespaces "apps" not found | operator creates it | false
            422 | Service "app-1" is invalid: spec.ports: Required value | rejects the application's objects | false
            403 | services "app-1" is forbidden: exceeded quota: none, requested: services=1, used: services=0, limited: services=0 \
            | operator raise the quota | true
            403 | configmaps "rev-1" is forbidden: exceeded quota: objects, requested: count/configmaps=1 | leaves no room | true
            403 | deployments.apps is forbidden: User "system:serviceaccount:waybill:control-plane" cannot patch resource \
            "deployments" in API group "apps" in the namespace "apps" | k8s/base/applications/rights.yaml | true
            403 | deployments.apps "rev-1" is forbidden: ValidatingAdmissionPolicy 'no-latest' with binding 'all' denied request: \
            images need a digest | adapt the policy | false
            403 | admission webhook "policy.example.com" denied the request: no | admission control | false
            """)
    void reportsTheClustersOwnWordsAndAdvice(int code, String message, String advice, boolean mayPass) throws IOException {
        // Given
        Plan plan = ground.plan(1);
        ground.cluster.hook(request -> request.getMethod().equals("PATCH") ? FakeCluster.refusal(code, message) : null);

        // When
        Outcome outcome = ground.prepare(plan);

        // Then
        assertThat(outcome).isInstanceOfSatisfying(Outcome.Failed.class, failed -> {
            assertThat(failed.reason()).contains(message, advice);
            assertThat(failed.mayPass()).isEqualTo(mayPass);
        });
    }

    @Test
    void missingRightIsReportedForAServingRevision() throws IOException {
        // Given
        Plan plan = ground.deployed(1);
        String message = "User \"control-plane\" cannot patch resource \"secrets\" in API group \"\"";
        ground.cluster.hook(request -> request.getMethod().equals("PATCH") ? FakeCluster.refusal(403, message) : null);

        // When
        Observation observation = ground.observe(plan);

        // Then
        assertThat(observation).isInstanceOfSatisfying(Observation.Failing.class,
                failing -> assertThat(failing.reason()).contains(message, "rights.yaml"));
    }

    @Test
    void unavailableApiServerIsNotTheUsersFault() throws IOException {
        // Given
        Plan plan = ground.plan(1);
        ground.cluster.hook(request -> request.getMethod().equals("PATCH")
                ? FakeCluster.refusal(503, "the server is currently unable to handle the request")
                : null);

        // When, then
        assertThatThrownBy(() -> ground.prepare(plan)).hasMessageContaining("currently unable");
    }
}
