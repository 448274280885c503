package dev.waybill.common.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.Map;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.TrustManagerFactory;

/** A self-signed certificate for the service under test, generated for each run. */
public final class TestCertificate {

    private static final Path FOLDER = Path.of("target", "tls").toAbsolutePath();
    private static final Path STORE = FOLDER.resolve("store.p12");
    private static final String GENERATED = "waybill.test.certificate";
    private static final char[] PASSWORD = "changeit".toCharArray();

    private TestCertificate() {
    }

    /** Returns settings with which the service serves TLS beside its plain port, with PEM files. */
    public static Map<String, String> settings() {
        try {
            generate();
            return Map.of("quarkus.http.test-ssl-port", "0",
                    "quarkus.http.ssl.certificate.files", FOLDER.resolve("tls.crt").toString(),
                    "quarkus.http.ssl.certificate.key-files", FOLDER.resolve("tls.key").toString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Asserts that the address serves TLS with this certificate and sends HSTS. */
    public static void assertServes(URI address) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(address).build();
        try (HttpClient trusting = HttpClient.newBuilder().sslContext(trust()).build();
                HttpClient untrusting = HttpClient.newHttpClient()) {
            HttpResponse<String> answer = trusting.send(request, HttpResponse.BodyHandlers.ofString());
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
            assertThat(answer.sslSession()).hasValueSatisfying(
                    session -> assertThat(session.getProtocol()).isIn("TLSv1.3", "TLSv1.2"));
            assertThat(answer.headers().firstValue("Strict-Transport-Security")).contains("max-age=31536000");
            assertThatThrownBy(() -> untrusting.send(request, HttpResponse.BodyHandlers.discarding()))
                    .isInstanceOf(SSLHandshakeException.class);
        }
    }

    /** Returns the certificate, which is its own authority. */
    public static Path authority() {
        settings();
        return FOLDER.resolve("tls.crt");
    }

    /** Returns the private key, readable by its owner only. */
    static Path key() {
        return FOLDER.resolve("tls.key");
    }

    private static void generate() throws IOException, GeneralSecurityException {
        // Generated once per run, by the first class loader.
        if (System.getProperty(GENERATED) != null) {
            return;
        }
        Files.createDirectories(FOLDER);
        Files.deleteIfExists(STORE);
        Process keytool = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair", "-alias", "tls", "-keyalg", "EC", "-groupname", "secp256r1", "-validity", "2",
                "-dname", "CN=localhost", "-ext", "san=dns:localhost,ip:127.0.0.1,ip:127.0.0.2", "-storetype", "PKCS12",
                "-storepass", new String(PASSWORD), "-keystore", STORE.toString()).redirectErrorStream(true).start();
        String output = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(keytool.onExit().join().exitValue()).as(output).isZero();
        KeyStore store = store();
        write("tls.crt", "CERTIFICATE", store.getCertificate("tls").getEncoded());
        write("tls.key", "PRIVATE KEY", store.getKey("tls", PASSWORD).getEncoded());
        Files.setPosixFilePermissions(key(), PosixFilePermissions.fromString("rw-------"));
        System.setProperty(GENERATED, "true");
    }

    private static void write(String name, String kind, byte[] content) throws IOException {
        String text = Base64.getMimeEncoder(64, new byte[] { '\n' }).encodeToString(content);
        Files.writeString(FOLDER.resolve(name), "-----BEGIN " + kind + "-----\n" + text + "\n-----END " + kind + "-----\n");
    }

    private static SSLContext trust() throws IOException, GeneralSecurityException {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("tls", store().getCertificate("tls"));
        TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        managers.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, managers.getTrustManagers(), null);
        return context;
    }

    private static KeyStore store() throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(STORE)) {
            store.load(in, PASSWORD);
        }
        return store;
    }
}
