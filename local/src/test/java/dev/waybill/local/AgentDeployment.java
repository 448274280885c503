package dev.waybill.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.UUID;

import dev.waybill.common.api.deployment.DeploymentResponse;
import dev.waybill.common.api.deployment.RevisionLogsResponse;
import dev.waybill.common.api.deployment.RevisionResponse;
import dev.waybill.common.api.deployment.RevisionStatus;
import dev.waybill.local.stack.ServiceKind;
import dev.waybill.local.tour.DeployedApplication;
import dev.waybill.local.tour.Deployer;

/** A client of one deployment. */
record AgentDeployment(Workspace workspace, UUID id, URI url) {

    private static final Duration TIMEOUT = Duration.ofMinutes(10);

    /** Registers an integration for the repository and deploys its branch {@code main}. */
    static AgentDeployment create(Workspace workspace, AgentRepository repository) {
        return create(workspace, workspace.name(), repository);
    }

    /** Deploys the branch under a name. */
    static AgentDeployment create(Workspace workspace, String name, AgentRepository repository) {
        Deployer deployer = deployer(workspace);
        DeploymentResponse created = deployer.create(name, repository.server.url(),
                deployer.integration(repository.server.baseUrl()));
        return new AgentDeployment(workspace, created.id(), URI.create(created.url()));
    }

    DeploymentResponse get() {
        return deployer(workspace).client().getDeployment(id);
    }

    UUID latestRevision() {
        return Objects.requireNonNull(get().latestRevisionId());
    }

    /** Creates a revision of the branch's latest commit and returns its id. */
    UUID update() {
        return deployer(workspace).createRevision(id);
    }

    RevisionResponse revision(UUID revision) {
        return deployer(workspace).client().getDeploymentRevision(id, revision, null);
    }

    /** Waits until the revision has a final status and returns it. */
    RevisionResponse awaitSettled(UUID revision) {
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        while (true) {
            RevisionResponse current = deployer(workspace).client().getDeploymentRevision(id, revision, "30s");
            if (current.status() == RevisionStatus.DEPLOYED || current.status().isFinal()) {
                return current;
            }
            assertThat(System.nanoTime()).as("%s", current).isLessThan(deadline);
        }
    }

    void awaitDeployed(UUID revision) {
        RevisionResponse settled = awaitSettled(revision);
        assertThat(settled.status()).as("%s %s", settled, logs(revision)).isEqualTo(RevisionStatus.DEPLOYED);
    }

    private RevisionLogsResponse logs(UUID revision) {
        return deployer(workspace).client().getRevisionLogs(id, revision);
    }

    void delete() {
        deployer(workspace).client().deleteDeployment(id);
    }

    DeployedApplication application() {
        return new DeployedApplication(workspace.client(), url, workspace.running().address(ServiceKind.EXPERIMENT));
    }

    Path folder() {
        return workspace.running().stack.applications().resolve(id.toString());
    }

    private static Deployer deployer(Workspace workspace) {
        return new Deployer(workspace.client(), workspace.running().address(ServiceKind.CONTROL_PLANE));
    }
}
