package dev.waybill.controlplane;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URL;

import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.TestCertificate;
import dev.waybill.controlplane.deployment.Deployments;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;

/** TLS of the service and of its database connections (docs/operations/security.md "TLS"). */
@QuarkusTest
class TlsTest {

    @TestHTTPResource(value = "/q/health/live", tls = true)
    URL address;

    @Test
    void serviceIsReachableOverTls() throws Exception {
        TestCertificate.assertServes(address.toURI());
    }

    @Test
    void everyDatabaseConnectionUsesTls() {
        // When
        Deployments.deployed(Deployments.account(), Deployments.newName());

        // Then
        String connections = "SELECT count(*) FROM pg_stat_activity JOIN pg_stat_ssl USING (pid) WHERE usename = 'waybill_control'";
        assertThat(DatabaseInspector.count(connections + " AND ssl")).isPositive();
        assertThat(DatabaseInspector.count(connections + " AND NOT ssl")).isZero();
    }
}
