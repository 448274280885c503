package dev.waybill.controlplane.engine.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.waybill.controlplane.engine.Engine.Observation;
import dev.waybill.controlplane.engine.Engine.Outcome;
import dev.waybill.controlplane.engine.RevisionSpec;

/** Errors of the API server become reasons with advice for the user or the operator. */
class ApiErrorsTest {

    @TempDir
    private Path folder;

    private KubernetesEngineFixture fixture;

    @BeforeEach
    void begin() throws IOException {
        fixture = new KubernetesEngineFixture(folder, Map.of());
    }

    @AfterEach
    void end() {
        fixture.close();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            404 | namespaces "apps" not found | operator to create it | false
            422 | Service "app-1" is invalid: spec.ports: Required value | rejects the application's objects | false
            403 | services "app-1" is forbidden: exceeded quota: none, requested: services=1, used: services=0, limited: services=0 \
            | operator raise the quota | true
            403 | configmaps "rev-1" is forbidden: exceeded quota: objects, requested: count/configmaps=1 | quota in the cluster is exhausted | true
            403 | deployments.apps is forbidden: User "system:serviceaccount:waybill:control-plane" cannot patch resource \
            "deployments" in API group "apps" in the namespace "apps" | k8s/base/applications/rights.yaml | true
            403 | deployments.apps "rev-1" is forbidden: ValidatingAdmissionPolicy 'no-latest' with binding 'all' denied request: \
            images need a digest | adapt the policy | false
            403 | admission webhook "policy.example.com" denied the request: no | admission control | false
            """)
    void reportsTheApiServersMessageWithAdvice(int code, String message, String advice, boolean retryable) throws IOException {
        // Given
        RevisionSpec plan = fixture.plan(1);
        fixture.cluster.intercept(request -> request.getMethod().equals("PATCH") ? FakeCluster.error(code, message) : null);

        // When
        Outcome outcome = fixture.prepare(plan);

        // Then
        assertThat(outcome).isInstanceOfSatisfying(Outcome.Failed.class, failed -> {
            assertThat(failed.reason()).contains(message, advice);
            assertThat(failed.retryable()).isEqualTo(retryable);
        });
    }

    @Test
    void missingPermissionIsReportedForAServingRevision() throws IOException {
        // Given
        RevisionSpec plan = fixture.deployed(1);
        String message = "User \"control-plane\" cannot patch resource \"secrets\" in API group \"\"";
        fixture.cluster.intercept(request -> request.getMethod().equals("PATCH") ? FakeCluster.error(403, message) : null);

        // When
        Observation observation = fixture.observe(plan);

        // Then
        assertThat(observation).isInstanceOfSatisfying(Observation.Failing.class,
                failing -> assertThat(failing.reason()).contains(message, "rights.yaml"));
    }

    @Tag("full")
    @Test
    void propagatesAnUnavailableApiServer() throws IOException {
        // Given
        RevisionSpec plan = fixture.plan(1);
        fixture.cluster.intercept(request -> request.getMethod().equals("PATCH")
                ? FakeCluster.error(503, "the server is currently unable to handle the request")
                : null);

        // When, then
        assertThatThrownBy(() -> fixture.prepare(plan)).hasMessageContaining("currently unable");
    }
}
