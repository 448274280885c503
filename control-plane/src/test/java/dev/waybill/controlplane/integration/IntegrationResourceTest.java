package dev.waybill.controlplane.integration;

import static dev.waybill.controlplane.ApiClient.as;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;

import jakarta.inject.Inject;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import com.jcraft.jsch.JSch;
import com.jcraft.jsch.JSchException;
import com.jcraft.jsch.KeyPair;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import dev.waybill.common.testing.LogLines;
import dev.waybill.common.testing.Patience;
import dev.waybill.controlplane.DatabaseInspector;
import dev.waybill.controlplane.HttpResult;
import dev.waybill.controlplane.deployment.Deployments;
import dev.waybill.controlplane.source.Credential;
import dev.waybill.controlplane.source.InMemorySourceClient;
import dev.waybill.controlplane.source.SourceClient.RepositoryListing;
import io.quarkus.test.junit.QuarkusTest;

/** Integrations over HTTP (interface.md 2.1 and 4.1, contract.md "Deployment management"). */
@QuarkusTest
class IntegrationResourceTest {

    private static final String INSTALL = "/v1/integrations/repohost/install";

    private static final String HOST_KEY = "git.example.com ssh-ed25519"
            + " AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl";

    private final Account account = Deployments.account();

    @Inject
    InMemorySourceClient sources;

    @Test
    void listIsJsonArrayUnderBothPaths() {
        // Given
        UUID first = create("1", "https://git.example.com/one").id();
        UUID second = create("2", "https://git.example.com/two").id();

        // When
        HttpResult list = as(account).get(INSTALL);

        // Then
        assertThat(list.list("id", String.class)).containsExactly(second.toString(), first.toString());
        assertThat(list.list("installation_id", Integer.class)).containsExactly(2, 1);
        assertThat(list.list("name", String.class)).containsExactly("acme", "acme");
        assertThat(as(account).get("/v1/integrations/github/install").body()).isEqualTo(list.body());
        assertThat(as(account).get("/v1/integrations/repohost/" + first).text("base_url"))
                .isEqualTo("https://git.example.com/one");
    }

    @Test
    void pushWebhookHasNoGithubAlias() {
        assertThat(as(account).post("/v1/integrations/github/webhook", "{}").status()).isEqualTo(404);
    }

    @Test
    void secretsAreReturnedOnceOrNever() {
        try (LogLines log = LogLines.listen()) {
            // When
            HttpResult created = as(account).post(INSTALL, """
                    {"installation_id": 7, "name": "acme", "base_url": "https://git.example.com/canary",
                     "token": "canary-token-4711"}""");
            String webhookSecret = created.text("webhook_secret");
            List<String> later = List.of(as(account).get(INSTALL).body(),
                    as(account).get("/v1/integrations/repohost/" + created.id()).body());

            // Then
            assertThat(created.status()).isEqualTo(201);
            assertThat(webhookSecret).hasSizeGreaterThanOrEqualTo(43);
            assertThat(created.body()).doesNotContain("canary-token-4711");
            assertThat(later).noneMatch(body -> body.contains("canary-token-4711") || body.contains(webhookSecret));
            assertThat(DatabaseInspector.everything("deploy"))
                    .noneMatch(row -> row.contains("canary-token") || row.contains(webhookSecret));
            assertThat(log.lines()).noneMatch(line -> line.contains("canary-token") || line.contains(webhookSecret));
        }
    }

    @Test
    void deployKeyIsStoredEncryptedWithKnownHosts() throws JSchException {
        // Given
        ByteArrayOutputStream key = new ByteArrayOutputStream();
        KeyPair.genKeyPair(new JSch(), KeyPair.ED25519).writeOpenSSHv1PrivateKey(key, null);
        String secret = key.toString(StandardCharsets.US_ASCII);

        // When
        UUID id = created(withKey("14", "git@git.example.com:sealed", secret, HOST_KEY)).id();

        // Then
        HttpResult read = as(account).get("/v1/integrations/repohost/" + id);
        assertThat(read.text("base_url")).isEqualTo("ssh://git@git.example.com/sealed");
        assertThat(read.body()).doesNotContain("PRIVATE KEY");
        assertThat(DatabaseInspector.everything("deploy")).noneMatch(row -> row.contains(secret.lines().toList().get(2)));
        Deployments.create(account, """
                {"name": "%s", "source": "repohost", "integration_id": "%s",
                 "source_config": {"repo_url": "git@git.example.com:sealed/agent.git"},
                 "source_revision_config": {"repo_ref": "sealed-by-ssh"}}""".formatted(Deployments.newName(), id), 201);
        Patience.await().untilAsserted(() -> assertThat(sources.lastCredential("sealed-by-ssh"))
                .isEqualTo(new Credential.DeployKey(secret, HOST_KEY)));
    }

    @Test
    void tokenCanBeReplacedWhileInUse() {
        // Given
        UUID id = as(account).post(INSTALL,
                """
                        {"installation_id": 16, "name": "acme", "base_url": "https://git.example.com/rotated", "token": "the-first-one"}""")
                .id();
        UUID deployment = Deployments.create(account, """
                {"name": "%s", "source": "repohost", "integration_id": "%s",
                 "source_config": {"repo_url": "https://git.example.com/rotated/agent"},
                 "source_revision_config": {"repo_ref": "opened-first"}}""".formatted(Deployments.newName(), id), 201).id();
        Patience.await().untilAsserted(() -> assertThat(sources.lastCredential("opened-first"))
                .isEqualTo(new Credential.AccessToken("the-first-one")));

        // When
        HttpResult changed = as(account).patch("/v1/integrations/repohost/" + id,
                "{\"token\": \"canary-token-4712\", \"base_url\": \"https://git.example.com/rotated/\"}");
        HttpResult renamed = as(account).patch("/v1/integrations/github/" + id, "{\"name\": \"acme of today\"}");
        as(account).post(Deployments.PATH + "/" + deployment + "/revisions",
                "{\"source_revision_config\": {\"repo_ref\": \"opened-later\"}}");

        // Then
        assertThat(List.of(changed.status(), renamed.status())).containsOnly(200);
        assertThat(changed.body()).doesNotContain("canary-token");
        assertThat(renamed.text("name")).isEqualTo("acme of today");
        assertThat(DatabaseInspector.everything("deploy")).noneMatch(row -> row.contains("canary-token"));
        Patience.await().untilAsserted(() -> assertThat(sources.lastCredential("opened-later"))
                .isEqualTo(new Credential.AccessToken("canary-token-4712")));
    }

    @Test
    void knownHostsCanBeReplacedWithoutDeployKey() throws JSchException {
        // Given
        ByteArrayOutputStream key = new ByteArrayOutputStream();
        KeyPair.genKeyPair(new JSch(), KeyPair.ED25519).writeOpenSSHv1PrivateKey(key, null);
        String secret = key.toString(StandardCharsets.US_ASCII);
        UUID id = created(withKey("17", "git@git.example.com:rekeyed", secret, HOST_KEY)).id();
        String newHosts = HOST_KEY.replace("git.example.com", "other.example.com");

        // When
        HttpResult changed = as(account).patch("/v1/integrations/repohost/" + id,
                "{\"ssh_known_hosts\": \"" + newHosts + "\"}");

        // Then
        assertThat(changed.status()).isEqualTo(200);
        Deployments.create(account, """
                {"name": "%s", "source": "repohost", "integration_id": "%s",
                 "source_config": {"repo_url": "git@git.example.com:rekeyed/agent.git"},
                 "source_revision_config": {"repo_ref": "rekeyed-by-ssh"}}""".formatted(Deployments.newName(), id), 201);
        Patience.await().untilAsserted(() -> assertThat(sources.lastCredential("rekeyed-by-ssh"))
                .isEqualTo(new Credential.DeployKey(secret, newHosts)));
    }

    @Test
    void immutableMembersAndMismatchedSecretsAreRejected() throws JSchException {
        // Given
        UUID id = create("18", "https://git.example.com/fixed").id();
        ByteArrayOutputStream key = new ByteArrayOutputStream();
        KeyPair.genKeyPair(new JSch(), KeyPair.ED25519).writeOpenSSHv1PrivateKey(key, null);

        // When
        HttpResult rejected = as(account).patch("/v1/integrations/repohost/" + id,
                """
                        {"installation_id": 19, "base_url": "https://git.example.com/other", "provider": "gitlab", "ssh_known_hosts": "%s"}"""
                        .formatted(HOST_KEY));
        HttpResult forSsh = as(account).patch("/v1/integrations/repohost/" + id,
                "{\"deploy_key\": \"" + key.toString(StandardCharsets.US_ASCII).replace("\n", "\\n") + "\"}");
        HttpResult both = as(account).patch("/v1/integrations/repohost/" + id, """
                {"token": "a", "deploy_key": "b", "ssh_known_hosts": "c", "name": " "}""");

        // Then
        assertThat(rejected.status()).isEqualTo(422);
        assertThat(rejected.list("errors.loc", List.class)).containsExactlyInAnyOrder(List.of("installation_id"),
                List.of("base_url"), List.of("provider"), List.of("ssh_known_hosts"));
        assertThat(forSsh.list("errors.loc", List.class)).containsExactly(List.of("deploy_key"));
        assertThat(both.list("errors.loc", List.class)).containsExactlyInAnyOrder(List.of("deploy_key"),
                List.of("ssh_known_hosts"), List.of("name"));
        assertThat(as(Deployments.account()).patch("/v1/integrations/repohost/" + id, "{\"token\": \"a\"}").status())
                .isEqualTo(404);
    }

    @Test
    void unusableDeployKeysAreRejected() throws JSchException {
        // Given
        ByteArrayOutputStream key = new ByteArrayOutputStream();
        KeyPair.genKeyPair(new JSch(), KeyPair.ED25519).writeOpenSSHv1PrivateKey(key, null);
        String secret = key.toString(StandardCharsets.US_ASCII);

        // When
        HttpResult noKey = withKey("15", "ssh://git@git.example.com/bad", "b", "c");
        HttpResult forHttps = withKey("15", "https://git.example.com/bad", secret, HOST_KEY);

        // Then
        assertThat(noKey.status()).isEqualTo(422);
        assertThat(noKey.list("errors.loc", List.class)).containsExactlyInAnyOrder(List.of("deploy_key"),
                List.of("ssh_known_hosts"));
        assertThat(forHttps.status()).isEqualTo(422);
        assertThat(forHttps.body()).contains("is supported for ssh base_urls only");
    }

    @Test
    void allViolationsAreReportedTogether() {
        // When
        HttpResult response = as(account).post(INSTALL, """
                {"installation_id": -1, "name": " ", "base_url": "ext::sh -c id", "token": "a", "deploy_key": "b"}""");

        // Then
        assertThat(response.status()).isEqualTo(422);
        assertThat(response.list("errors.loc", List.class)).containsExactlyInAnyOrder(List.of("installation_id"),
                List.of("name"), List.of("base_url"), List.of("deploy_key"));
    }

    @ParameterizedTest
    @ValueSource(strings = { "file:///etc", "ext::sh -c id", "http://git.example.com/acme", "https://127.0.0.1/acme",
            "https://user:pw@git.example.com/acme", "ssh://-oProxyCommand=id/acme", "git@-oProxyCommand:acme",
            "--upload-pack=id",
            "https://git.example.com/../acme", "ftp://git.example.com/acme", "https://169.254.169.254/latest" })
    void hostileUrlsAreRejected(String address) {
        assertThat(install("9", address).status()).isEqualTo(422);
    }

    @ParameterizedTest
    @ValueSource(strings = { "https://git.example.com/acme", "ssh://git@git.example.com/acme", "git@git.example.com:acme",
            "https://git.example.com" })
    void plainUrlsAreAccepted(String address) {
        assertThat(install("10", address).status()).isEqualTo(201);
    }

    @Test
    void duplicateInstallationReturns409() {
        // Given
        create("11", "https://git.example.com/twice");

        // When
        HttpResult again = install("11", "https://GIT.example.com/twice/");

        // Then
        assertThat(again.status()).isEqualTo(409);
    }

    @Test
    void membersManageIntegrations() {
        // Given
        Account member = Accounts.account().role("member").create();
        String path = "/v1/integrations/repohost/";

        // When
        HttpResult created = as(member).post(path + "install", """
                {"name": "acme", "installation_id": 7, "base_url": "https://git.example.com/acme"}
                """);
        HttpResult updated = as(member).patch(path + created.id(), "{\"token\": \"abc\"}");
        HttpResult deleted = as(member).delete(path + created.id());

        // Then
        assertThat(List.of(created.status(), updated.status(), deleted.status())).containsExactly(201, 200, 204);
    }

    @Test
    void integrationInUseCannotBeDeleted() {
        // Given
        UUID id = create("12", Deployments.BASE_URL).id();
        UUID deployment = Deployments.create(account, Deployments.body(Deployments.newName(), "main",
                ", \"integration_id\": \"" + id + "\""), 201).id();

        // When / Then
        String path = "/v1/integrations/repohost/" + id;
        assertThat(as(account).delete(path).status()).isEqualTo(409);
        assertThat(as(account).delete("/v2/deployments/" + deployment).status()).isEqualTo(204);
        Patience.await()
                .untilAsserted(() -> assertThat(as(account).delete(path).status()).isEqualTo(204));
        assertThat(as(account).get(path).status()).isEqualTo(404);
    }

    @Test
    void repositoriesAreListedInOrderOfHost() {
        // Given
        UUID id = create("13", "https://git.example.com/listed").id();
        sources.setListing(new RepositoryListing.Found(List.of(new RepositoryListing.Listed("acme", "agent",
                "https://git.example.com/listed/agent", "main", true))));

        // When
        HttpResult found = as(account).get("/v1/integrations/repohost/" + id + "/repos");
        sources.setListing(new RepositoryListing.Failed("The host refused the token; make a new one."));
        HttpResult failed = as(account).get("/v1/integrations/repohost/" + id + "/repos");

        // Then
        assertThat(found.list("url", String.class)).containsExactly("https://git.example.com/listed/agent");
        assertThat(found.list("private", Boolean.class)).containsExactly(true);
        assertThat(failed.status()).isEqualTo(409);
        assertThat(failed.detail()).isEqualTo("The host refused the token; make a new one.");
    }

    private HttpResult withKey(String installation, String baseUrl, String key, String hosts) {
        return as(account).post(INSTALL, """
                {"installation_id": %s, "name": "acme", "base_url": "%s", "deploy_key": "%s", "ssh_known_hosts": "%s"}"""
                .formatted(installation, baseUrl, key.replace("\n", "\\n"), hosts));
    }

    private HttpResult create(String installation, String baseUrl) {
        return created(install(installation, baseUrl));
    }

    private static HttpResult created(HttpResult created) {
        assertThat(created.status()).as(created.body()).isEqualTo(201);
        return created;
    }

    private HttpResult install(String installation, String baseUrl) {
        return as(account).post(INSTALL, "{\"installation_id\": " + installation + ", \"name\": \"acme\", \"base_url\": \""
                + baseUrl + "\"}");
    }
}
