package dev.waybill.controlplane.deployment;

import static dev.waybill.controlplane.ApiClient.as;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.stream.Stream;

import jakarta.inject.Inject;

import org.junit.jupiter.api.Test;

import dev.waybill.common.database.Database;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.ConcurrentRequests;
import dev.waybill.common.testing.Patience;
import dev.waybill.controlplane.HttpResult;
import dev.waybill.controlplane.integration.IntegrationEncryptor;
import dev.waybill.controlplane.integration.IntegrationService;
import dev.waybill.controlplane.source.InMemorySourceClient;
import dev.waybill.controlplane.source.SourceClient.Resolution;
import io.quarkus.test.junit.QuarkusTest;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.Cancellable;

/** A moved ref is a change (contract.md "Decided on 2026-11-23"). */
@QuarkusTest
class MovedRefTest {

    private final Account account = Deployments.account();
    private final String name = Deployments.newName();
    private final String branch = "branch-of-" + name;

    @Inject
    InMemorySourceClient sources;

    @Inject
    IntegrationService integrations;

    @Inject
    IntegrationEncryptor encryptor;

    @Inject
    Database database;

    @Inject
    DeploymentRepository repository;

    @Test
    void patchOfMovedBranchCreatesRevision() {
        // Given
        HttpResult deployed = deployed();
        String moved = InMemorySourceClient.commit("moved " + branch);
        sources.setResolution(branch, new Resolution.Resolved(moved));

        // When
        HttpResult patched = patch(deployed.id(), branch);

        // Then
        assertThat(patched.status()).isEqualTo(200);
        assertThat(Deployments.latest(patched)).isNotEqualTo(Deployments.latest(deployed));
        HttpResult revision = Deployments.awaitStatus(account, deployed.id(), Deployments.latest(patched), "DEPLOYED");
        assertThat(revision.text("source_revision_config.repo_commit_sha")).isEqualTo(moved);
    }

    @Test
    void patchOfUnmovedBranchCreatesNoRevision() {
        // Given
        HttpResult deployed = deployed();

        // When
        HttpResult first = patch(deployed.id(), branch);
        HttpResult second = patch(deployed.id(), branch);

        // Then
        assertThat(first.text("latest_revision_id")).isEqualTo(deployed.text("latest_revision_id"));
        assertThat(second.text("latest_revision_id")).isEqualTo(deployed.text("latest_revision_id"));
    }

    @Test
    void patchAfterRollbackDeploysBranchAgain() {
        // Given
        HttpResult deployed = deployed();
        sources.setResolution(branch, new Resolution.Resolved(InMemorySourceClient.commit("moved " + branch)));
        UUID moved = Deployments.latest(patch(deployed.id(), branch));
        Deployments.awaitStatus(account, deployed.id(), moved, "DEPLOYED");
        UUID back = Deployments.latest(as(account)
                .post(Deployments.revision(deployed.id(), Deployments.latest(deployed)) + "/redeploy", "{}"));
        Deployments.awaitStatus(account, deployed.id(), back, "DEPLOYED");

        // When
        HttpResult patched = patch(deployed.id(), branch);

        // Then
        assertThat(Deployments.latest(patched)).isNotEqualTo(back);
    }

    @Test
    void deletedBranchCreatesFailingRevision() {
        // Given
        HttpResult deployed = deployed();
        sources.setResolution(branch, new Resolution.RefNotFound("There is no such branch."));

        // When
        HttpResult patched = patch(deployed.id(), branch);

        // Then
        assertThat(patched.status()).isEqualTo(200);
        HttpResult failed = Deployments.awaitStatus(account, deployed.id(), Deployments.latest(patched), "BUILD_FAILED");
        assertThat(failed.text("status_message")).isEqualTo("There is no such branch.");
        assertThat(Deployments.get(account, deployed.id()).text("active_revision_id"))
                .isEqualTo(deployed.text("latest_revision_id"));
    }

    @Test
    void inaccessibleRepositoryCreatesFailingRevision() {
        // Given
        HttpResult deployed = deployed();
        sources.setResolution(branch, new Resolution.Unreachable("Access was refused.", false));

        // When
        HttpResult patched = patch(deployed.id(), branch);

        // Then
        HttpResult failed = Deployments.awaitStatus(account, deployed.id(), Deployments.latest(patched), "CREATE_FAILED");
        assertThat(failed.text("status_message")).isEqualTo("Access was refused.");
    }

    @Test
    void changeWithoutRefDoesNotContactHost() {
        // Given
        HttpResult deployed = deployed();
        int lookups = sources.lookups(branch);

        // When
        HttpResult named = as(account).patch(Deployments.PATH + "/" + deployed.id(), "{\"display_name\": \"Support\"}");

        // Then
        assertThat(named.text("latest_revision_id")).isEqualTo(deployed.text("latest_revision_id"));
        assertThat(sources.lookups(branch)).isEqualTo(lookups);
    }

    @Test
    void slowHostDoesNotLockDeployment() {
        // Given
        HttpResult deployed = deployed();
        CompletableFuture<Resolution> response = new CompletableFuture<>();
        sources.setResolver(branch, () -> Uni.createFrom().completionStage(response));
        int lookups = sources.lookups(branch);
        CompletableFuture<HttpResult> patching = CompletableFuture.supplyAsync(() -> patch(deployed.id(), branch));
        Patience.await().until(() -> sources.lookups(branch) > lookups);

        // When
        HttpResult concurrent = as(account).patch(Deployments.PATH + "/" + deployed.id(), "{\"display_name\": \"Support\"}");
        response.complete(new Resolution.Resolved(InMemorySourceClient.commit(branch)));

        // Then
        assertThat(concurrent.text("display_name")).isEqualTo("Support");
        assertThat(patching.join().status()).isEqualTo(200);
    }

    @Test
    void tooManyLookupsOfWorkspaceReturn429() {
        // Given
        Deployment mine = read(account, deployed().id());
        Account other = Deployments.account();
        Deployment others = read(other, Deployments.create(other, Deployments.newName()).id());
        sources.setResolver(branch, () -> Uni.createFrom().nothing());
        RefLookup lookup = new RefLookup(sources, integrations, encryptor, Duration.ofDays(1));
        List<Cancellable> pending = Stream.generate(() -> lookup.commit(mine).subscribe().with(_ -> {
        })).limit(8).toList();

        // When
        Throwable rejected = lookup.commit(mine).<Throwable> map(_ -> new AssertionError("a lookup was started"))
                .onFailure().recoverWithItem(Function.identity()).await().indefinitely();
        Optional<String> ofOther = lookup.commit(others).await().indefinitely();
        pending.forEach(Cancellable::cancel);
        sources.setResolver(branch, () -> Uni.createFrom().item(new Resolution.Resolved("1234")));

        // Then
        assertThat(rejected).isInstanceOfSatisfying(ProblemException.class,
                problem -> assertThat(problem.type().status()).isEqualTo(429));
        assertThat(ofOther).hasValue(InMemorySourceClient.commit("main"));
        assertThat(lookup.commit(mine).await().indefinitely()).hasValue("1234");
    }

    @Test
    void patchBeyondTheLimitOfLookupsReturns429() {
        // Given: the host does not respond
        HttpResult deployed = deployed();
        CompletableFuture<Resolution> response = new CompletableFuture<>();
        sources.setResolver(branch, () -> Uni.createFrom().completionStage(response));
        try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            // When
            HttpResult rejected = Patience.await().until(
                    () -> ConcurrentRequests.first(clients, 9, () -> patch(deployed.id(), branch)),
                    first -> first.status() == 429);
            response.complete(new Resolution.Resolved(InMemorySourceClient.commit(branch)));

            // Then
            assertThat(rejected.header("Retry-After")).isEqualTo("5");
            assertThat(rejected.detail()).contains("Too many refs");
        }
        assertThat(patch(deployed.id(), branch).status()).isEqualTo(200);
    }

    @Test
    void unresponsiveHostLeavesCommitUnresolved() {
        // Given
        Deployment mine = read(account, deployed().id());
        sources.setResolver(branch, () -> Uni.createFrom().nothing());

        // When
        Optional<String> commit = new RefLookup(sources, integrations, encryptor, Duration.ofMillis(1)).commit(mine)
                .await().indefinitely();

        // Then
        assertThat(commit).isEmpty();
    }

    private Deployment read(Account of, UUID id) {
        return database.inWorkspace(of.workspaceId(), connection -> repository.require(connection, of.workspaceId(), id))
                .await().indefinitely();
    }

    private HttpResult deployed() {
        HttpResult created = Deployments.create(account, Deployments.body(name, branch, ""), 201);
        Deployments.awaitStatus(account, created.id(), Deployments.latest(created), "DEPLOYED");
        return created;
    }

    private HttpResult patch(UUID id, String ref) {
        return as(account).patch(Deployments.PATH + "/" + id,
                "{\"source_revision_config\": {\"repo_ref\": \"" + ref + "\"}}");
    }
}
