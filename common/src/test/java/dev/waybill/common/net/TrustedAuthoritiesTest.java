package dev.waybill.common.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

import javax.net.ssl.X509TrustManager;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The selection of trusted authorities; tests of the clients cover the verification itself. */
class TrustedAuthoritiesTest {

    @TempDir
    private Path directory;

    @Test
    void trustsTheAuthoritiesOfThePlatform() {
        assertThat(new TrustedAuthorities(new Net(Optional.empty())).managers()).singleElement()
                .isInstanceOfSatisfying(X509TrustManager.class,
                        manager -> assertThat(manager.getAcceptedIssuers()).isNotEmpty());
    }

    @ParameterizedTest
    @ValueSource(strings = { "", "no certificate", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n" })
    void fileWithoutCertificatesPreventsTheStart(String content) throws IOException {
        Path file = Files.writeString(directory.resolve("authorities.pem"), content);

        assertThatThrownBy(() -> new TrustedAuthorities(new Net(Optional.of(file)))).isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("waybill.net.ca-certificates").hasMessageContaining("authorities.pem");
    }

    @Test
    void missingFilePreventsTheStart() {
        Path missing = directory.resolve("missing.pem");

        assertThatThrownBy(() -> new TrustedAuthorities(new Net(Optional.of(missing))))
                .hasMessageStartingWith("waybill.net.ca-certificates").hasMessageContaining("missing.pem");
    }

    private record Net(Optional<Path> caCertificates) implements NetConfig {

        @Override
        public boolean allowHttp() {
            return false;
        }

        @Override
        public Optional<List<String>> allowedRanges() {
            return Optional.empty();
        }
    }
}
