package dev.waybill.common.net;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Arrays;
import java.util.Collection;
import java.util.stream.Stream;

import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

/**
 * Certificate authorities trusted for customers' endpoints: those of the platform and those of {@code
 * waybill.net.ca-certificates}. Customers cannot add authorities.
 */
@Singleton
public class TrustedAuthorities {

    private static final String KEY = "waybill.net.ca-certificates";

    private final TrustManager[] managers;

    public TrustedAuthorities(NetConfig config) {
        this.managers = config.caCertificates().map(TrustedAuthorities::platformAnd).orElseGet(() -> managers(null));
    }

    /** Returns the trust managers for a TLS client; the client must verify host names itself. */
    public TrustManager[] managers() {
        return managers.clone();
    }

    private static TrustManager[] platformAnd(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            Collection<? extends Certificate> more = CertificateFactory.getInstance("X.509").generateCertificates(in);
            if (more.isEmpty()) {
                throw new IllegalStateException(KEY + " refers to a file without certificates: " + file);
            }
            KeyStore all = KeyStore.getInstance(KeyStore.getDefaultType());
            all.load(null, null);
            for (Certificate authority : Stream.concat(platformAuthorities(), more.stream()).toList()) {
                all.setCertificateEntry("authority-" + all.size(), authority);
            }
            return managers(all);
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalStateException(KEY + " refers to a file that cannot be read as PEM certificates: " + file, e);
        }
    }

    private static Stream<Certificate> platformAuthorities() {
        return Arrays.stream(managers(null))
                .filter(X509TrustManager.class::isInstance)
                .flatMap(manager -> Arrays.stream(((X509TrustManager) manager).getAcceptedIssuers()));
    }

    /** @param authorities null for those of the platform */
    private static TrustManager[] managers(@Nullable KeyStore authorities) {
        try {
            TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(authorities);
            return factory.getTrustManagers();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("the JVM has no default trust manager", e);
        }
    }
}
