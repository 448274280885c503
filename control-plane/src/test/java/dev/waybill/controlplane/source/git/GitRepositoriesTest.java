package dev.waybill.controlplane.source.git;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.waybill.controlplane.source.Checkout;
import dev.waybill.controlplane.source.CommitDescription;
import dev.waybill.controlplane.source.Credential.AccessToken;
import dev.waybill.controlplane.source.GitServer;
import dev.waybill.controlplane.source.SourceException;
import dev.waybill.controlplane.source.SourceException.Kind;
import dev.waybill.controlplane.source.TestRepository;
import dev.waybill.controlplane.source.TestSourceConfig;

class GitRepositoriesTest {

    @TempDir
    private Path directory;
    private GitServer server;
    private TestRepository repository;
    private String url;
    private final GitRepositories repositories = TestSourceConfig.usual().repositories();

    @BeforeEach
    void serve() throws IOException {
        server = GitServer.start();
        repository = TestRepository.in(directory.resolve("repository.git")).file("langgraph.json", "{}");
        url = server.serve("/acme/agent.git", repository);
    }

    @AfterEach
    void stop() {
        server.close();
        repository.close();
    }

    @Test
    void branchesTagsAndCommitsAreResolved() throws IOException {
        // Given
        String first = repository.commit();
        repository.tag("v1", first);
        String second = repository.file("more", "m").commit();

        // When, Then
        assertThat(repositories.resolve(url, "main", null)).isEqualTo(second);
        assertThat(repositories.resolve(url, "refs/heads/main", null)).isEqualTo(second);
        assertThat(repositories.resolve(url, "HEAD", null)).isEqualTo(second);
        assertThat(repositories.resolve(url, "v1", null)).isEqualTo(first);
        assertThat(repositories.resolve(url, first, null)).isEqualTo(first);
        assertThat(repositories.resolve("file://" + directory.resolve("repository.git"), "v1", null)).isEqualTo(first);
    }

    @Test
    void exactCommitIsCheckedOut() throws Exception {
        // Given
        String first = repository.file("src/deep/agent.mjs", "one").program("run.sh", "#!/bin/sh").link("current", "src/deep")
                .file("large", "x".repeat(3 << 20)).commit();
        repository.file("src/deep/agent.mjs", "two").commit();

        // When
        Checkout checkout = repositories.checkout(url, first, null, directory.resolve("out"));

        // Then
        assertThat(checkout.commit()).isEqualTo(new CommitDescription("Author", "One", Instant.parse("2026-01-02T03:04:05Z")));
        assertThat(directory.resolve("out/src/deep/agent.mjs")).hasContent("one");
        assertThat(directory.resolve("out/current/agent.mjs")).hasContent("one");
        assertThat(directory.resolve("out/run.sh")).isExecutable();
        assertThat(directory.resolve("out/large")).hasSize(3 << 20);
        assertThat(directory.resolve("out/.git")).doesNotExist();
        assertThat(checkout.entries()).isEqualTo(7);
    }

    @Test
    void fileRepositoriesAreReadInPlace() throws Exception {
        // Given
        String commit = repository.file("a", "here").commit();

        // When
        repositories.checkout("file://" + directory.resolve("repository.git"), commit, null, directory.resolve("out"));

        // Then
        assertThat(directory.resolve("out/a")).hasContent("here");
    }

    @Test
    void privateRepositoryRequiresToken() throws IOException {
        // Given
        String commit = repository.commit();
        String closed = server.serveTo("s3cret", "/acme/closed.git", repository);

        // When
        SourceException without = rejected(() -> repositories.resolve(closed, "main", null));
        SourceException wrong = rejected(() -> repositories.resolve(closed, "main", new AccessToken("wrong-token")));

        // Then
        assertThat(without).hasMessageContaining("Access to the repository was denied (HTTP 401)");
        assertThat(wrong).hasMessageContaining("token").hasMessageNotContaining("wrong-token");
        assertThat(wrong.kind()).isEqualTo(Kind.UNREACHABLE);
        assertThat(repositories.resolve(closed, "main", new AccessToken("s3cret"))).isEqualTo(commit);
    }

    @ParameterizedTest
    @ValueSource(strings = { "absent", "refs/heads/absent", "deadbee", "--upload-pack=touch /tmp/x", "-oProxyCommand=x",
            "a..b", "main:refs/heads/x", "main^{tree}", "@{-1}", " ", "a\nb", "../../etc/passwd", "main~1" })
    void missingRefIsReported(String ref) throws IOException {
        // Given
        repository.commit();

        // When
        SourceException exception = rejected(() -> repositories.resolve(url, ref, null));

        // Then
        assertThat(exception.kind()).isEqualTo(Kind.REF_NOT_FOUND);
        assertThat(exception).hasMessageContaining("branch");
    }

    @Test
    void overwrittenCommitIsReported() throws IOException {
        // Given: a commit that the server does not have
        repository.commit();
        String gone = "0123456789012345678901234567890123456789";

        // When
        SourceException exception = rejected(() -> repositories.checkout(url, gone, null, directory.resolve("out")));

        // Then
        assertThat(exception.kind()).isEqualTo(Kind.REF_NOT_FOUND);
        assertThat(exception).hasMessageContaining("forced push");
    }

    @Test
    void commitBeforeForcedPushIsReadableWhileHostHasIt() throws Exception {
        // Given
        String before = repository.file("a", "before").commit();
        repository.file("a", "after").commit("main", true);

        // When
        repositories.checkout("file://" + directory.resolve("repository.git"), before, null, directory.resolve("out"));

        // Then
        assertThat(directory.resolve("out/a")).hasContent("before");
    }

    @Test
    void submodulesAreNotFetched() throws Exception {
        // Given
        String commit = repository.submodule("vendor/inside")
                .file(".gitmodules", "[submodule \"x\"]\n path = vendor/inside\n url = file:///etc\n").commit();

        // When
        Checkout checkout = repositories.checkout(url, commit, null, directory.resolve("out"));

        // Then
        assertThat(checkout.submodules()).isOne();
        assertThat(directory.resolve("out/vendor/inside")).isEmptyDirectory();
    }

    @ParameterizedTest
    @ValueSource(strings = { "/etc/passwd", "../outside", "inner/../../outside", "loop/../.." })
    void linksOutsideCheckoutAreRejected(String target) throws IOException {
        // Given: "deep/down" points to the root, so the text of "deep/down/.." does not show its target
        Files.writeString(directory.resolve("outside"), "not yours");
        String commit = repository.link("loop", "inner").file("inner/file", "f").link("bad", target).commit();

        // When
        SourceException exception = rejected(() -> repositories.checkout(url, commit, null, directory.resolve("out")));

        // Then
        assertThat(exception.kind()).isEqualTo(Kind.REFUSED);
        assertThat(exception).hasMessageContaining("link bad points outside of the repository");
    }

    @Test
    void linksOutsideThroughOtherLinksAreRejected() throws IOException {
        // Given: the text of "bad" names the root; but "deep/down" resolves to the root, and its parents are outside
        String commit = repository.file("deep/file", "f").link("deep/down", "..").link("bad", "deep/down/../outside").commit();
        Files.writeString(directory.resolve("outside"), "not yours");

        // When
        SourceException exception = rejected(() -> repositories.checkout(url, commit, null, directory.resolve("out")));

        // Then
        assertThat(exception).hasMessageContaining("link bad points outside of the repository");
    }

    @Test
    void danglingLinksAreOmitted() throws Exception {
        // Given
        String commit = repository.link("broken", "absent").commit();

        // When
        repositories.checkout(url, commit, null, directory.resolve("out"));

        // Then
        assertThat(Files.exists(directory.resolve("out/broken"), java.nio.file.LinkOption.NOFOLLOW_LINKS)).isFalse();
    }

    private static SourceException rejected(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        return catchThrowableOfType(SourceException.class, call);
    }
}
