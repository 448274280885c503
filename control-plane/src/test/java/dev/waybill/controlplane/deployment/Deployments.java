package dev.waybill.controlplane.deployment;

import static dev.waybill.controlplane.ApiClient.as;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import dev.waybill.common.testing.Patience;
import dev.waybill.controlplane.ApiClient;
import dev.waybill.controlplane.HttpResult;

/** Fixtures of deployments with unique names. */
public final class Deployments {

    public static final String PATH = "/v2/deployments";
    public static final String BASE_URL = "https://git.example.com/acme";
    public static final String REPOSITORY = BASE_URL + "/agent";

    private static final AtomicInteger COUNT = new AtomicInteger();

    private Deployments() {
    }

    /** Creates an account with one workspace and a key for it. */
    public static Account account() {
        return Accounts.account().create();
    }

    /** Returns a unique name. */
    public static String newName() {
        return "agent-" + COUNT.incrementAndGet();
    }

    /** Returns a request body for a deployment of the branch main. */
    public static String body(String name) {
        return body(name, "main", "");
    }

    /** @param more additional members, each with a leading comma */
    public static String body(String name, String ref, String more) {
        return """
                {"name": "%s", "source": "repohost", "source_config": {"repo_url": "%s"},
                 "source_revision_config": {"repo_ref": "%s"}%s}""".formatted(name, REPOSITORY, ref, more);
    }

    /** Creates a deployment without waiting. */
    public static HttpResult create(Account account, String name) {
        return create(account, body(name), 201);
    }

    public static HttpResult create(Account account, String body, int status) {
        HttpResult created = as(account).post(PATH, body);
        assertThat(created.status()).as(created.body()).isEqualTo(status);
        return created;
    }

    /** Creates a deployment and waits until its first revision is deployed. */
    public static HttpResult deployed(Account account, String name) {
        HttpResult created = create(account, name);
        awaitStatus(account, created.id(), latest(created), "DEPLOYED");
        return created;
    }

    public static UUID latest(HttpResult deployment) {
        return UUID.fromString(deployment.text("latest_revision_id"));
    }

    public static String revision(UUID deploymentId, UUID revisionId) {
        return PATH + "/" + deploymentId + "/revisions/" + revisionId;
    }

    /** Waits until the revision has the status. */
    public static HttpResult awaitStatus(Account account, UUID deploymentId, UUID revisionId, String status) {
        Patience.await().untilAsserted(() -> assertThat(as(account).get(revision(deploymentId, revisionId)).text("status"))
                .isEqualTo(status));
        return as(account).get(revision(deploymentId, revisionId));
    }

    public static HttpResult get(Account account, UUID deploymentId) {
        return as(account).get(PATH + "/" + deploymentId);
    }

    /** Requests a change that creates a revision. */
    public static UUID change(Account account, UUID deploymentId, String ref) {
        HttpResult changed = ApiClient.as(account).patch(PATH + "/" + deploymentId,
                "{\"source_revision_config\": {\"repo_ref\": \"" + ref + "\"}}");
        assertThat(changed.status()).as(changed.body()).isEqualTo(200);
        return latest(changed);
    }
}
