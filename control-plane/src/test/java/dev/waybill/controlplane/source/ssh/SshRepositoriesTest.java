package dev.waybill.controlplane.source.ssh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.eclipse.jgit.transport.URIish;
import org.eclipse.jgit.util.FS;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import com.jcraft.jsch.KeyPair;

import dev.waybill.common.testing.Patience;
import dev.waybill.controlplane.source.Credential;
import dev.waybill.controlplane.source.Credential.AccessToken;
import dev.waybill.controlplane.source.Credential.DeployKey;
import dev.waybill.controlplane.source.SourceException;
import dev.waybill.controlplane.source.SourceException.Kind;
import dev.waybill.controlplane.source.TestRepository;
import dev.waybill.controlplane.source.TestSourceConfig;
import dev.waybill.controlplane.source.git.GitRepositories;
import dev.waybill.controlplane.source.guard.GuardedHttpConnectionFactory.NetworkSettings;
import dev.waybill.controlplane.source.guard.SourceDeadline;
import dev.waybill.controlplane.source.ssh.GitSshServer.Key;
import io.smallrye.mutiny.subscription.Cancellable;

/** Deploy keys with a real ssh server; threat T17 and fault F25 over ssh. */
class SshRepositoriesTest {

    private static final Duration FOR_EVER = Duration.ofHours(1);

    @TempDir
    private Path directory;
    private GitSshServer server;
    private TestRepository repository;
    private Key key;
    private String url;

    @BeforeEach
    void serve() throws Exception {
        key = Key.of(KeyPair.ED25519, 0);
        server = GitSshServer.start(key.open());
        repository = TestRepository.in(directory.resolve("repository.git")).file("langgraph.json", "{}");
        url = server.serve("/acme/agent.git", repository);
    }

    @AfterEach
    void stop() throws IOException {
        server.close();
        repository.close();
    }

    @Test
    void deployKeyHasAccessToRepository() throws Exception {
        // Given
        String first = repository.file("a", "first").commit();
        repository.tag("v1", first);
        String second = repository.file("a", "second").commit();
        GitRepositories repositories = TestSourceConfig.usual().repositories();

        // When
        repositories.checkout(url, first, key(), directory.resolve("out"));

        // Then
        assertThat(repositories.resolve(url, "main", key())).isEqualTo(second);
        assertThat(repositories.resolve(url, "v1", key())).isEqualTo(first);
        assertThat(directory.resolve("out/a")).hasContent("first");
    }

    @ParameterizedTest
    @CsvSource({ "2, 2048", "3, 256", "3, 384", "3, 521" })
    void allCommonKeyTypesAreSupported(int type, int size) throws Exception {
        // Given
        String commit = repository.commit();
        Key other = Key.of(type, size);
        assertThat(DeployKeys.validationError(other.secret())).isEmpty();

        try (GitSshServer closed = GitSshServer.start(other.open())) {
            // When
            String resolved = TestSourceConfig.usual().repositories().resolve(closed.serve("/acme/agent.git", repository),
                    "main",
                    new DeployKey(other.secret(), closed.knownHosts()));

            // Then
            assertThat(resolved).isEqualTo(commit);
        }
    }

    @Test
    void rejectedDeployKeyIsReported() throws Exception {
        // Given
        repository.commit();
        Key other = Key.of(KeyPair.ED25519, 0);

        // When
        SourceException exception = failureOf(TestSourceConfig.usual(), new DeployKey(other.secret(), server.knownHosts()));

        // Then
        assertThat(exception.kind()).isEqualTo(Kind.UNREACHABLE);
        assertThat(exception).hasMessageContaining("does not accept the integration's deploy key");
    }

    @Test
    void unknownHostKeyIsRejectedAndReported() throws IOException {
        // Given
        String commit = repository.commit();

        // When
        SourceException exception = failureOf(TestSourceConfig.usual(), new DeployKey(key.secret(), ""));

        // Then
        assertThat(exception.kind()).isEqualTo(Kind.UNREACHABLE);
        assertThat(exception).hasMessageContaining("is not known").hasMessageContaining("SHA256:");
        Matcher line = Pattern.compile("ssh_known_hosts to: (.*)$").matcher(exception.getMessage());
        assertThat(line.find()).isTrue();
        assertThat(KnownHosts.validationError(line.group(1))).isEmpty();
        assertThat(
                TestSourceConfig.usual().repositories().resolve(url, "main", new DeployKey(key.secret(), line.group(1))))
                .isEqualTo(commit);
    }

    @Test
    void changedHostKeyIsRejected() throws Exception {
        // Given
        repository.commit();
        String known = server.knownHosts();
        try (GitSshServer other = GitSshServer.start(key.open())) {
            String hostName = other.serve("/acme/agent.git", repository).replaceAll("^.*@127.0.0.1:(\\d+)/.*$",
                    "[127.0.0.1]:$1");
            String pinned = hostName + known.substring(known.indexOf(' '));

            // When
            SourceException exception = catchThrowableOfType(SourceException.class,
                    () -> TestSourceConfig.usual().repositories().resolve(other.serve("/acme/agent.git", repository), "main",
                            new DeployKey(key.secret(), pinned)));

            // Then
            assertThat(exception.kind()).isEqualTo(Kind.UNREACHABLE);
            assertThat(exception).hasMessageContaining("differs from the integration's ssh_known_hosts")
                    .hasMessageContaining("SHA256:");
        }
    }

    @Test
    void hostKeyWithoutNameAppliesToRepositoryHost() throws IOException {
        // Given
        String commit = repository.commit();
        String bare = server.knownHosts().substring(server.knownHosts().indexOf(' ') + 1);

        // When, Then
        assertThat(TestSourceConfig.usual().repositories().resolve(url, "main",
                new DeployKey(key.secret(), "# own\n" + bare + "\n")))
                .isEqualTo(commit);
    }

    @Test
    void internalAddressesAreNotContacted() throws IOException {
        // Given
        repository.commit();

        // When
        SourceException byNumber = catchThrowableOfType(SourceException.class,
                () -> TestSourceConfig.usual().repositories(new String[0]).resolve(url, "main", key()));
        SourceException byName = catchThrowableOfType(SourceException.class, () -> TestSourceConfig.usual()
                .repositories(new String[0]).resolve(url.replace("127.0.0.1", "localhost"), "main", key()));

        // Then
        assertThat(byNumber).hasMessageContaining("to a public address");
        assertThat(byName).hasMessageContaining("to a public address");
    }

    @Test
    void missingRepositoryIsReported() {
        // Given
        String absent = url.replace("agent.git", "absent.git");

        // When
        SourceException exception = catchThrowableOfType(SourceException.class,
                () -> TestSourceConfig.usual().repositories().resolve(absent, "main", key()));

        // Then
        assertThat(exception.kind()).isEqualTo(Kind.UNREACHABLE);
        assertThat(exception).hasMessageContaining("The repository does not exist");
    }

    @Test
    @Tag("full")
    void silentHostTimesOut() {
        // Given
        server.fallSilent();

        // When
        SourceException exception = failureOf(TestSourceConfig.usual().withReadTimeout(Duration.ofSeconds(2)), key());

        // Then
        assertThat(exception.kind()).isEqualTo(Kind.UNAVAILABLE);
        assertThat(exception).hasMessageContaining("did not respond within 2 s");
    }

    @Test
    @Tag("full")
    void totalTimeoutEndsSilentHost() {
        // Given
        server.fallSilent();

        // When
        SourceException exception = failureOf(TestSourceConfig.usual().withTimeout(Duration.ofSeconds(2)), key());

        // Then
        assertThat(exception).hasMessageContaining("could not be read within 2 s");
    }

    @Test
    void cancellationClosesConnection() {
        // Given
        server.fallSilent();
        Cancellable asking = TestSourceConfig.usual().withReadTimeout(FOR_EVER).withTimeout(FOR_EVER).sources()
                .resolve(url, "main", key())
                .subscribe().with(_ -> {
                });
        Patience.await().until(server::isAsked);

        // When
        asking.cancel();

        // Then
        Patience.await().until(() -> server.clients() == 0);
    }

    @Test
    @Tag("full")
    void interruptEndsWorkThatSwallowsInterrupts() throws Exception {
        // Given
        server.fallSilent();
        GuardedSshSessionFactory ssh = new GuardedSshSessionFactory(URI.create(url), key(),
                new NetworkSettings(TestSourceConfig.guard("127.0.0.0/8"), TestSourceConfig.authorities(), FOR_EVER), 1 << 20,
                SourceDeadline.in(FOR_EVER));
        Thread asking = Thread.ofVirtual().start(() -> assertThatThrownBy(() -> ssh.interruptibly(() -> {
            ssh.getSession(new URIish(url), null, FS.DETECTED, 0);
            return readWhateverInterrupts(ssh.exec("git-upload-pack '/acme/agent.git'", 0).getInputStream());
        })).isInstanceOf(InterruptedIOException.class));
        Patience.await().until(server::isAsked);

        // When
        asking.interrupt();

        // Then
        assertThat(asking.join(Duration.ofMinutes(2))).isTrue();
        Patience.await().until(() -> server.clients() == 0);
        ssh.close();
    }

    private static int readWhateverInterrupts(InputStream in) throws IOException {
        while (true) {
            try {
                Thread.interrupted();
                return in.read();
            } catch (InterruptedIOException _) {
                // JGit's timer swallows interrupts in the same way.
            }
        }
    }

    @Test
    void waitForUnresponsiveCommandIsInterruptible() throws InterruptedException {
        // Given
        server.takeNoCommand();
        Thread asking = Thread.ofVirtual()
                .start(() -> failureOf(TestSourceConfig.usual().withReadTimeout(FOR_EVER).withTimeout(FOR_EVER), key()));
        Patience.await().until(server::isAsked);

        // When
        asking.interrupt();

        // Then
        assertThat(asking.join(Duration.ofMinutes(2))).isTrue();
    }

    @Test
    @Tag("full")
    void endlessRefListIsRejected() {
        // Given
        server.neverEnd();

        // When
        SourceException exception = failureOf(TestSourceConfig.usual().withMaxTransferSize(1 << 20), key());

        // Then
        assertThat(exception.kind()).isEqualTo(Kind.REFUSED);
        assertThat(exception).hasMessageContaining("sends more than the limit of 1 MiB");
    }

    @Test
    @Tag("full")
    void tooLargeFetchIsRejected() throws IOException {
        // Given
        String commit = repository.file("large", new byte[2 << 20]).commit();

        // When
        SourceException exception = catchThrowableOfType(SourceException.class,
                () -> TestSourceConfig.usual().withMaxFileSize(1 << 20)
                        .repositories().checkout(url, commit, key(), directory.resolve("out")));

        // Then
        assertThat(exception).hasMessageContaining("larger than the limit of 1 MiB");
    }

    @Test
    void tokensNeedHttpsAndDeployKeysNeedSsh() {
        // When
        SourceException token = failureOf(TestSourceConfig.usual(), new AccessToken("t0ken"));
        SourceException nothing = failureOf(TestSourceConfig.usual(), null);
        SourceException forHttps = catchThrowableOfType(SourceException.class,
                () -> TestSourceConfig.usual().repositories().resolve("https://git.example.com/acme/agent", "main", key()));

        // Then
        assertThat(token).hasMessageContaining("set the integration's deploy_key");
        assertThat(nothing).hasMessage(token.getMessage());
        assertThat(forHttps).hasMessageContaining("set a token for https");
    }

    private DeployKey key() {
        return new DeployKey(key.secret(), server.knownHosts());
    }

    private SourceException failureOf(TestSourceConfig limits, Credential credential) {
        return catchThrowableOfType(SourceException.class, () -> limits.repositories().resolve(url, "main", credential));
    }
}
