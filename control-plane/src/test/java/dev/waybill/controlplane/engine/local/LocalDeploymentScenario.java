package dev.waybill.controlplane.engine.local;

import static dev.waybill.common.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.UUID;

import jakarta.enterprise.event.Event;
import jakarta.inject.Inject;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

import dev.waybill.common.testing.Account;
import dev.waybill.controlplane.ApiClient;
import dev.waybill.controlplane.deployment.Deployments;
import dev.waybill.controlplane.engine.Engine.ApplicationChanged;
import dev.waybill.controlplane.engine.InMemoryEngine;
import dev.waybill.controlplane.engine.RevisionSpec;
import dev.waybill.controlplane.engine.RevisionSpec.ApplicationSource.Commit;
import dev.waybill.controlplane.source.GitServer;
import dev.waybill.controlplane.source.InMemorySourceClient;
import dev.waybill.controlplane.source.TestSourceConfig;
import dev.waybill.local.storage.FreePort;

/** Tests of the service that deploy one application with the real engine, git and processes. */
public abstract class LocalDeploymentScenario {

    protected final Account account = Deployments.account();
    protected final String name = Deployments.newName();
    protected final String ref = "ref-of-" + name;
    protected final int port = FreePort.find();

    @TempDir
    protected Path directory;

    @Inject
    protected InMemoryEngine engines;

    @Inject
    protected InMemorySourceClient sources;

    @Inject
    Event<ApplicationChanged> changes;

    protected LocalEngineFixture fixture;
    protected GitServer server;
    protected String url;
    /** Set by the test when it creates the deployment. */
    protected UUID deployment;

    @BeforeEach
    void serve() throws IOException {
        fixture = new LocalEngineFixture(directory);
        server = GitServer.start();
        url = server.serve("/acme/agent.git", fixture.repository);
        sources.delegate(ref, TestSourceConfig.usual().sources(), url);
        engines.script(name).delegateTo(fixture.engine(changes::fire), this::here);
    }

    @AfterEach
    void delete() {
        // Otherwise the reconciler would restart the deployed application.
        ApiClient.as(account).delete(Deployments.PATH + "/" + deployment);
        await().untilAsserted(() -> assertThat(fixture.deployment(deployment)).doesNotExist());
        server.close();
        fixture.close();
    }

    /** Returns the plan for this test's repository and port. */
    protected RevisionSpec here(RevisionSpec plan) {
        Commit source = (Commit) plan.source();
        return new RevisionSpec(plan.tenantId(), plan.deploymentId(), plan.revisionId(), plan.number(), plan.name(),
                new Commit(url, source.id(), source.configPath(), null, source.installCommand(), source.buildCommand()),
                plan.environment(), plan.resources(), port, plan.url());
    }
}
