package dev.waybill.controlplane.source.git;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.eclipse.jgit.lib.ObjectId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;

import dev.waybill.controlplane.source.RepositoryAddress;
import dev.waybill.controlplane.source.SourceException;
import dev.waybill.controlplane.source.SourceException.Kind;
import dev.waybill.controlplane.source.TestSourceConfig;
import dev.waybill.controlplane.source.guard.SourceDeadline;

/** Fault F25 and threat T17: hostile hosts and repositories. */
class HostileRepositoryTest extends HostileHostScenario {

    @Test
    void silentHostTimesOut() {
        // Given
        String url = server.respond("/silent", _ -> awaitEnd(Long.MAX_VALUE));

        // When
        SourceException exception = resolve(TestSourceConfig.usual().withReadTimeout(Duration.ofMillis(300)), url);

        // Then
        assertThat(exception.kind()).isEqualTo(Kind.UNAVAILABLE);
        assertThat(exception).hasMessageContaining("did not respond within");
    }

    @Test
    void endlessResponseTimesOut() {
        // Given: a host that sends data slowly and forever
        String url = server.respond("/slow", git(out -> {
            for (int i = 0; !awaitEnd(1); i++) {
                out.write(
                        String.format(Locale.ROOT, "004d%040x refs/heads/b-%018d\n", 1, i).getBytes(StandardCharsets.US_ASCII));
                out.flush();
            }
        }));

        // When
        SourceException exception = resolve(TestSourceConfig.usual().withTimeout(Duration.ofMillis(500)), url);

        // Then
        assertThat(exception).hasMessageContaining("could not be read within");
    }

    @Test
    void endlessRefListIsRejected() {
        // Given
        String url = server.respond("/endless", git(out -> {
            for (int i = 0; over.getCount() > 0; i++) {
                String line = String.format(Locale.ROOT, "%040x refs/heads/%s-%09d\n", 1, "b".repeat(900), i);
                out.write("%04x%s".formatted(line.length() + 4, line).getBytes(StandardCharsets.US_ASCII));
            }
        }));

        // When
        SourceException exception = resolve(TestSourceConfig.usual(), url);

        // Then
        assertThat(exception.kind()).isEqualTo(Kind.REFUSED);
        assertThat(exception).hasMessageContaining("sends more than the limit of 16 MiB");
    }

    @Test
    void redirectsAreNotFollowed() {
        // Given
        AtomicInteger requests = new AtomicInteger();
        String elsewhere = server.respond("/elsewhere", exchange -> {
            requests.incrementAndGet();
            exchange.sendResponseHeaders(404, -1);
        });
        String url = server.respond("/moved", exchange -> {
            exchange.getResponseHeaders().set("Location", elsewhere + "/info/refs");
            exchange.sendResponseHeaders(302, -1);
        });

        // When
        SourceException exception = resolve(TestSourceConfig.usual(), url);

        // Then
        assertThat(exception).hasMessageContaining("redirects (HTTP");
        assertThat(requests).hasValue(0);
    }

    @ParameterizedTest
    @ValueSource(strings = { "text/html", "text/plain", "application/octet-stream" })
    void nonGitServerIsRejected(String type) {
        // Given: a response that would make git use the dumb protocol and follow its alternates
        AtomicInteger requests = new AtomicInteger();
        String url = server.respond("/page", exchange -> {
            requests.incrementAndGet();
            exchange.getResponseHeaders().set("Content-Type", type);
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write("0123 hello\trefs/heads/main\n".getBytes(StandardCharsets.UTF_8));
        });

        // When
        SourceException exception = resolve(TestSourceConfig.usual(), url);

        // Then
        assertThat(exception).hasMessageContaining("is not a git server");
        assertThat(requests).hasValue(1);
    }

    @ParameterizedTest
    @ValueSource(ints = { 403, 404, 500, 503 })
    void errorStatusesAreExplained(int status) {
        // Given
        String url = server.respond("/refusing", exchange -> exchange.sendResponseHeaders(status, -1));

        // When
        SourceException exception = resolve(TestSourceConfig.usual(), url);

        // Then
        assertThat(exception).hasMessageContaining("HTTP " + status);
        assertThat(exception.kind()).isEqualTo(status >= 500 ? Kind.UNAVAILABLE : Kind.UNREACHABLE);
    }

    @Test
    void internalAddressesAreNotContacted() throws IOException {
        // Given: the server is not in an allowed range; by IP address and by name
        repository.file("a", "a").commit();
        String url = server.serve("/inside", repository);

        // When
        SourceException byNumber = catchThrowableOfType(SourceException.class,
                () -> TestSourceConfig.usual().repositories(new String[0]).resolve(url, "main", null));
        SourceException byName = catchThrowableOfType(SourceException.class,
                () -> TestSourceConfig.usual().repositories(new String[0]).resolve(url.replace("127.0.0.1", "localhost"),
                        "main", null));

        // Then
        assertThat(byNumber).hasMessageContaining("to a public address");
        assertThat(byName).hasMessageContaining("to a public address");
    }

    @Test
    void closedPortIsReported() {
        // Given
        String url = server.url("/gone");
        server.close();

        // When
        SourceException exception = resolve(TestSourceConfig.usual(), url);

        // Then
        assertThat(exception.kind()).isEqualTo(Kind.UNAVAILABLE);
        assertThat(exception).hasMessageContaining("not reachable");
    }

    @Test
    void tooLargeFilesAreRejectedByEveryTransport() throws IOException {
        // Given: a file that compresses to a fraction of its size
        String commit = repository.file("huge.bin", new byte[2 << 20]).commit();
        String url = server.serve("/huge", repository);
        TestSourceConfig limits = TestSourceConfig.usual().withMaxFileSize(1 << 20);

        // When
        SourceException overHttp = checkout(limits, url, commit);
        SourceException onDisk = checkout(limits, "file://" + directory.resolve("repository.git"), commit);

        // Then
        assertThat(overHttp).hasMessageContaining("larger than the limit of 1 MiB");
        assertThat(onDisk).hasMessageContaining("huge.bin is larger than the limit of 1 MiB");
    }

    @Test
    void tooLargeCheckoutIsRejected() throws IOException {
        // Given
        for (int i = 0; i < 30; i++) {
            repository.file("file-" + i, new byte[100_000 + i]);
        }
        String commit = repository.commit();
        String url = server.serve("/many", repository);

        // When, Then
        assertThat(checkout(TestSourceConfig.usual().withMaxFiles(20), url, commit)).hasMessageContaining("more than 20 files");
        assertThat(checkout(TestSourceConfig.usual().withMaxCheckoutSize(2 << 20), url, commit))
                .hasMessageContaining("limit of 2 MiB in total");
        assertThat(checkout(TestSourceConfig.usual().withMaxTransferSize(2000), url, commit))
                .hasMessageContaining("sends more than");
    }

    @ParameterizedTest
    @ValueSource(strings = { "..", ".git", ".GIT", ".", "a\\b", "../x" })
    void traversalNamesAreRejected(String name) throws IOException {
        // Given
        ByteArrayOutputStream tree = new ByteArrayOutputStream();
        tree.write(("100644 " + name + "\0").getBytes(StandardCharsets.UTF_8));
        byte[] id = new byte[20];
        repository.blob("hello").copyRawTo(id, 0);
        tree.write(id);
        String commit = repository.commitOfTree(tree.toByteArray());

        // When
        SourceException onDisk = checkout(TestSourceConfig.usual(), "file://" + directory.resolve("repository.git"), commit);
        SourceException overHttp = checkout(TestSourceConfig.usual(), server.serve("/names", repository), commit);

        // Then
        assertThat(onDisk).isNotNull();
        assertThat(overHttp).isNotNull();
        assertThat(directory.resolve("x")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = { "blob", "tree" })
    void refToNonCommitIsReported(String kind) throws IOException {
        // Given: a tag of an object that is not a commit
        ObjectId id = kind.equals("blob") ? repository.blob("hello") : repository.tree(new byte[0]);

        // When
        SourceException exception = checkout(TestSourceConfig.usual(), "file://" + directory.resolve("repository.git"),
                id.name());

        // Then
        assertThat(exception.kind()).isEqualTo(Kind.REF_NOT_FOUND);
        assertThat(exception).hasMessageContaining("names a file or a folder instead of a commit");
    }

    @Test
    void duplicateFileNamesAreRejected() throws IOException {
        // Given: names that are not UTF-8 are decoded as Latin-1
        byte[] id = new byte[20];
        repository.blob("hello").copyRawTo(id, 0);
        ByteArrayOutputStream tree = new ByteArrayOutputStream();
        for (Charset charset : List.of(StandardCharsets.UTF_8, StandardCharsets.ISO_8859_1)) {
            tree.write("100644 Z\u00fcrich\0".getBytes(charset));
            tree.write(id);
        }
        String commit = repository.commitOfTree(tree.toByteArray());

        // When
        SourceException exception = checkout(TestSourceConfig.usual(), "file://" + directory.resolve("repository.git"), commit);

        // Then: the second message applies if the machine's locale does not support the character
        assertThat(exception.kind()).isEqualTo(Kind.REFUSED);
        assertThat(exception.getMessage()).containsAnyOf("two files with the same name", "has characters that this machine");
    }

    @Test
    void tooLongNamesAreRejected() throws IOException {
        // Given
        String commit = repository.file("x".repeat(256), "hello").commit();

        // When
        SourceException exception = checkout(TestSourceConfig.usual(), "file://" + directory.resolve("repository.git"), commit);

        // Then
        assertThat(exception.kind()).isEqualTo(Kind.REFUSED);
        assertThat(exception).hasMessageContaining("a file with an invalid name: \"xxx");
    }

    @Test
    void fullDiskIsReportedAsUnavailable() {
        // Given
        RepositoryAddress address = new RepositoryAddress(RepositoryAddress.Kind.FILE, directory.toUri());
        IOException full = new IOException("No space left on device");

        // When
        SourceException exception = GitErrorTranslator.translate(new IOException("cannot write", full), address,
                TestSourceConfig.usual().limits(),
                SourceDeadline.in(Duration.ofMinutes(1)));

        // Then
        assertThat(exception.kind()).isEqualTo(Kind.UNAVAILABLE);
        assertThat(exception).hasMessageStartingWith("The control plane's disk is full");
    }

    private SourceException resolve(TestSourceConfig limits, String url) {
        return catchThrowableOfType(SourceException.class, () -> limits.repositories().resolve(url, "main", null));
    }

    private HttpHandler git(Body body) {
        return exchange -> {
            exchange.getResponseHeaders().set("Content-Type", "application/x-git-upload-pack-advertisement");
            exchange.sendResponseHeaders(200, 0);
            write(exchange, body);
        };
    }

    private static void write(HttpExchange exchange, Body body) throws IOException {
        try (OutputStream out = exchange.getResponseBody()) {
            out.write("001e# service=git-upload-pack\n0000".getBytes(StandardCharsets.US_ASCII));
            body.write(out);
        }
    }

    private boolean awaitEnd(long millis) {
        try {
            return over.await(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    @FunctionalInterface
    private interface Body {

        void write(OutputStream out) throws IOException;
    }
}
