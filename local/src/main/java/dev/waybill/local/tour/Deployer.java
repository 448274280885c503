package dev.waybill.local.tour;

import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import dev.waybill.client.ControlPlaneClient;
import dev.waybill.client.WaybillClients;
import dev.waybill.client.WaybillException;
import dev.waybill.common.api.deployment.CreateDeploymentRequest;
import dev.waybill.common.api.deployment.CreateIntegrationRequest;
import dev.waybill.common.api.deployment.DeploymentResponse;
import dev.waybill.common.api.deployment.DeploymentSource;
import dev.waybill.common.api.deployment.IntegrationResponse;
import dev.waybill.common.api.deployment.RevisionResponse;
import dev.waybill.common.api.deployment.RevisionSource;
import dev.waybill.common.api.deployment.RevisionStatus;
import dev.waybill.common.api.deployment.SourceKind;
import dev.waybill.common.api.deployment.UpdateDeploymentRequest;
import dev.waybill.local.storage.Wait;

/**
 * Deploys applications from local git repositories (interface.md 2.2).
 *
 * @param controlPlane the address of the control plane
 */
public record Deployer(WaybillClients clients, URI controlPlane) {

    private static final Duration TIMEOUT = Duration.ofMinutes(5);
    private static final Duration POLL_INTERVAL = Duration.ofMillis(50);
    private static final UpdateDeploymentRequest UNCHANGED = new UpdateDeploymentRequest(null, null, null, null, null, null,
            null);

    /**
     * Deploys the repository's last commit, waits until the application is available and returns its address. Updates an
     * existing deployment of this name if necessary.
     *
     * @param states receives each status of the revision
     */
    public URI deploy(String name, SourceRepository repository, Consumer<String> states) {
        DeploymentResponse deployment = find(name).map(found -> update(found, repository))
                .orElseGet(() -> create(name, repository.address(), integration(repository.parent())));
        awaitDeployed(deployment, states);
        URI url = URI.create(deployment.url());
        awaitAvailable(url);
        return url;
    }

    /** Creates a deployment of the branch {@code main} without waiting for it. */
    public DeploymentResponse create(String name, String repositoryUrl, UUID integration) {
        return create(name, repositoryUrl, integration, null);
    }

    public DeploymentResponse create(String name, String repositoryUrl, UUID integration, @Nullable String installCommand) {
        return client().createDeployment(new CreateDeploymentRequest(name, SourceKind.REPOHOST, null,
                new DeploymentSource(integration, repositoryUrl, null, null, null, installCommand, null, null),
                new RevisionSource("main", null, null, null), null));
    }

    /** Creates a revision of the branch's latest commit and returns its id. */
    public UUID createRevision(UUID deploymentId) {
        return client().createDeploymentRevision(deploymentId, UNCHANGED).id();
    }

    /** Returns the id of the integration with this base URL; creates it if missing. */
    public UUID integration(String baseUrl) {
        return client().listRepohostIntegrations().stream()
                .filter(integration -> integration.baseUrl().equals(baseUrl))
                .map(IntegrationResponse::id)
                .findFirst()
                .orElseGet(() -> client().createRepohostIntegration(
                        new CreateIntegrationRequest(0L, "This machine", baseUrl, null, null, null, null)).id());
    }

    public ControlPlaneClient client() {
        return clients.controlPlane(controlPlane);
    }

    private Optional<DeploymentResponse> find(String name) {
        return client().listDeployments(1, name, null, null, null).resources().stream().findFirst();
    }

    private DeploymentResponse update(DeploymentResponse deployment, SourceRepository repository) {
        RevisionResponse latest = latestRevision(deployment, null);
        boolean failed = latest.status().name().endsWith("_FAILED");
        if (Objects.equals(latest.sourceRevisionConfig().repoCommitSha(), repository.head()) && !failed) {
            return deployment;
        }
        createRevision(deployment.id());
        return client().getDeployment(deployment.id());
    }

    /** Returns the latest revision, if {@code wait} is given after its next change or this time. */
    public RevisionResponse latestRevision(DeploymentResponse deployment, @Nullable String wait) {
        return client().getDeploymentRevision(deployment.id(), Objects.requireNonNull(deployment.latestRevisionId()), wait);
    }

    private void awaitDeployed(DeploymentResponse deployment, Consumer<String> states) {
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        RevisionStatus previous = null;
        while (previous != RevisionStatus.DEPLOYED) {
            RevisionResponse now = latestRevision(deployment, null);
            if (now.status() != previous) {
                states.accept(now.status().name());
            }
            if (now.status().isFinal() || System.nanoTime() > deadline) {
                throw new IllegalStateException("the application is not deployed: " + now);
            }
            previous = now.status();
            Wait.sleep(POLL_INTERVAL);
        }
    }

    /** Waits until the application responds; one that was deployed earlier may be restarting. */
    private void awaitAvailable(URI url) {
        Wait.until(() -> isAvailable(url), POLL_INTERVAL, TIMEOUT,
                () -> "the application is deployed but does not respond at " + url);
    }

    private boolean isAvailable(URI url) {
        try {
            clients.deployment(url).getOk();
            return true;
        } catch (WaybillException | UncheckedIOException _) {
            return false;
        }
    }
}
