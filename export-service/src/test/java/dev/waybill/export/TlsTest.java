package dev.waybill.export;

import java.net.URL;

import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.TestCertificate;
import io.quarkus.test.common.http.TestHTTPResource;

/** Tests TLS (docs/operations/security.md "TLS"). */
@ExportServiceTest
class TlsTest {

    @TestHTTPResource(value = "/q/health/live", tls = true)
    URL address;

    @Test
    void serviceIsReachableOverTls() throws Exception {
        TestCertificate.assertServes(address.toURI());
    }
}
