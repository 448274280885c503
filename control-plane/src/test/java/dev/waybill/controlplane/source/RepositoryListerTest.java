package dev.waybill.controlplane.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import com.sun.net.httpserver.HttpExchange;

import dev.waybill.controlplane.source.Credential.AccessToken;
import dev.waybill.controlplane.source.SourceClient.RepositoryHost;
import dev.waybill.controlplane.source.SourceClient.RepositoryListing;
import dev.waybill.controlplane.source.SourceClient.RepositoryListing.Failed;
import dev.waybill.controlplane.source.SourceClient.RepositoryListing.Found;
import dev.waybill.controlplane.source.SourceClient.RepositoryListing.Listed;

/** Responses of the fake hosts follow the documentation of each provider. */
class RepositoryListerTest {

    private GitServer server;
    private final List<String> tokens = new CopyOnWriteArrayList<>();

    @BeforeEach
    void start() throws IOException {
        server = GitServer.start();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void repositoriesAreNotListedOverSsh() {
        // Given
        RepositoryHost host = new RepositoryHost(Provider.GITHUB, "ssh://git@github.com/acme", 1, "acme",
                new Credential.DeployKey("key", ""));

        // When
        RepositoryListing listing = TestSourceConfig.usual().lister().of(host);

        // Then
        assertThat(listing).isEqualTo(new RepositoryListing.Failed(
                "Repositories cannot be listed over ssh; set the repository's URL as the deployment's repo_url."));
    }

    @Test
    void gitHubIsReadPageByPage() {
        // Given: a full page and one that is not
        server.respond("/api/v3/user/repos", exchange -> json(exchange, exchange.getRequestURI().getQuery().endsWith("page=1")
                ? IntStream.range(0, 100).mapToObj(i -> gitHub("acme", "r" + i)).collect(Collectors.joining(",", "[", "]"))
                : "[" + gitHub("acme", "last") + "," + gitHub("somebody-else", "theirs") + "]"));

        // When
        RepositoryListing listing = list(Provider.GITHUB, "token-1");

        // Then
        List<Listed> found = ((Found) listing).repositories();
        assertThat(found).hasSize(101)
                .contains(new Listed("acme", "last", server.url("/acme/last.git"), "main", true))
                .noneMatch(repository -> repository.owner().equals("somebody-else"));
        assertThat(tokens).containsExactly("Bearer token-1", "Bearer token-1");
    }

    @Test
    void gitLabRepositoriesAreListed() {
        // Given
        server.respond("/api/v4/projects", exchange -> json(exchange, """
                [{"path": "agent", "namespace": {"full_path": "acme/team"}, "http_url_to_repo": "%s", "default_branch": "main",
                  "visibility": "private"}]""".formatted(server.url("/acme/team/agent.git"))));

        // When
        RepositoryListing listing = list(Provider.GITLAB, "token-2");

        // Then
        assertThat(listing).isEqualTo(new Found(
                List.of(new Listed("acme/team", "agent", server.url("/acme/team/agent.git"), "main", true))));
        assertThat(tokens).containsExactly("token-2");
    }

    @Test
    void giteaRepositoriesAreListed() {
        // Given
        server.respond("/api/v1/user/repos", exchange -> json(exchange, "[" + gitHub("acme", "agent") + "]"));

        // When
        RepositoryListing listing = list(Provider.GITEA, "token-3");

        // Then
        assertThat(((Found) listing).repositories()).extracting(Listed::name).containsExactly("agent");
        assertThat(tokens).containsExactly("token token-3");
    }

    @Test
    void rejectedTokensAndErrorsAreExplained() {
        // Given
        server.respond("/api/v1/user/repos", exchange -> exchange.sendResponseHeaders(401, -1));
        server.respond("/api/v4/projects", exchange -> json(exchange, "{\"message\": \"hello\"}"));
        server.respond("/api/v3/user/repos", exchange -> json(exchange, "<html>"));

        // When, Then
        assertThat(list(Provider.GITEA, "hidden-token")).isInstanceOfSatisfying(Failed.class,
                failed -> assertThat(failed.reason())
                        .contains("rejected the integration's token").doesNotContain("hidden-token"));
        assertThat(list(Provider.GITLAB, "t")).isInstanceOf(Failed.class);
        assertThat(list(Provider.GITHUB, "t")).isInstanceOf(Failed.class);
        assertThat(list(Provider.OTHER, "t")).isInstanceOf(Failed.class);
    }

    private RepositoryListing list(Provider provider, String token) {
        return TestSourceConfig.usual().lister()
                .of(new RepositoryHost(provider, server.url("/acme"), 1, "acme", new AccessToken(token)));
    }

    private String gitHub(String owner, String name) {
        return """
                {"name": "%s", "owner": {"login": "%s"}, "clone_url": "%s", "default_branch": "main", "private": true}"""
                .formatted(name, owner, server.url("/" + owner + "/" + name + ".git"));
    }

    private void json(HttpExchange exchange, String body) throws IOException {
        String bearer = exchange.getRequestHeaders().getFirst("Authorization");
        tokens.add(bearer == null ? exchange.getRequestHeaders().getFirst("PRIVATE-TOKEN") : bearer);
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(200, bytes.length);
        exchange.getResponseBody().write(bytes);
    }
}
