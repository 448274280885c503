package dev.waybill.soak.deployments;

import static org.awaitility.Awaitility.await;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

import dev.waybill.client.WaybillException;
import dev.waybill.local.CodePoint;
import dev.waybill.local.Debugger;
import dev.waybill.local.RunningStack;
import dev.waybill.local.TableText;
import dev.waybill.local.Workspace;
import dev.waybill.local.stack.Replica;
import dev.waybill.local.stack.ServiceKind;
import dev.waybill.local.stack.ServiceProcess;
import dev.waybill.local.storage.FreePort;
import dev.waybill.local.tour.Deployer;

/**
 * Two control planes on the stack's database with a common folder of applications and {@link LightRuntime}. The stack's own
 * control plane is suspended. A debugger can suspend one of the two at a point of its code.
 */
final class ControlPlanes implements AutoCloseable {

    private static final Duration TIMEOUT = Duration.ofMinutes(10);

    private final Workspace workspace;
    private final Path folder;
    private final Path applications;
    private final ServiceProcess own;
    private final ServiceProcess steady;
    private final ServiceProcess faulty;
    private final int debugPort = FreePort.find();

    private ControlPlanes(Workspace workspace, Path folder) {
        RunningStack running = workspace.running();
        this.workspace = workspace;
        this.folder = folder;
        this.applications = running.stack.applications().resolve("light");
        this.own = running.stack.service(ServiceKind.CONTROL_PLANE);
        Path runtime = LightRuntime.jar(folder.resolve("runtime.jar"));
        this.steady = running.stack.add(replica("control-plane-steady", runtime));
        this.faulty = running.stack.add(replica("control-plane-faulty", runtime).option(Debugger.option(debugPort)));
    }

    /** Starts both and waits until they are ready. */
    static ControlPlanes start(Workspace workspace, Path folder) {
        ControlPlanes planes = new ControlPlanes(workspace, folder);
        planes.own.pause();
        planes.steady.start();
        planes.faulty.start();
        planes.steady.awaitReady();
        planes.faulty.awaitReady();
        return planes;
    }

    private Replica replica(String name, Path runtime) {
        return Replica.of(ServiceKind.CONTROL_PLANE, name)
                // On a busy machine a short lease would expire and repeat its step; only takeOver() ends leases.
                .property("waybill.rollout.lease-timeout", "2m")
                .property("waybill.engine.local.runtime", runtime.toString())
                .property("waybill.engine.local.directory", applications.toString())
                .property("waybill.engine.local.stop-on-shutdown", "false");
    }

    /** Waits for both and returns a target with both. */
    DeploymentTarget both() {
        faulty.awaitReady();
        return target(List.of(steady.address(), faulty.address()));
    }

    /** Returns a target with the control plane that tests do not suspend or kill. */
    DeploymentTarget steady() {
        return target(List.of(steady.address()));
    }

    private DeploymentTarget target(List<URI> addresses) {
        return new DeploymentTarget(workspace.client(), workspace.apiKey(), addresses, applications, folder);
    }

    /** Waits until both are idle, attaches a debugger to the faulty one and suspends the steady one. */
    Debugger alone() {
        faulty.awaitReady();
        awaitIdle();
        Debugger debugger = Debugger.attach(debugPort);
        steady.pause();
        return debugger;
    }

    /** Creates a revision at the faulty control plane and waits until it is suspended, possibly before it responds. */
    void updateAndStop(TestDeployment deployment, Debugger debugger, CodePoint point) {
        debugger.arm(point);
        deployment.commit();
        Thread.ofVirtual().start(() -> {
            try {
                new Deployer(workspace.client(), faulty.address()).createRevision(UUID.fromString(deployment.id()));
            } catch (WaybillException | java.io.UncheckedIOException _) {
                // The control plane may be killed before it responds.
            }
        });
        debugger.awaitStop(point);
    }

    /** Kills and restarts the faulty control plane and resumes the steady one. */
    void killFaulty() {
        faulty.kill();
        faulty.start();
        takeOver();
    }

    /** Ends all leases and resumes the steady control plane. */
    void takeOver() {
        TableText.query(
                "WITH over AS (UPDATE deploy.deployments SET lease_until = now() - interval '1 second' WHERE tenant_id = '"
                        + workspace.tenantId() + "' AND lease_until IS NOT NULL RETURNING 1) SELECT count(*) FROM over");
        steady.resume();
    }

    /** Resumes the steady control plane. */
    void resume() {
        steady.resume();
    }

    /** Waits until no deployment of the workspace has a lease or is due for a check. */
    void awaitIdle() {
        await().atMost(TIMEOUT).until(() -> "0".equals(TableText.value("SELECT count(*) FROM deploy.deployments"
                + " WHERE tenant_id = '" + workspace.tenantId()
                + "' AND (lease_until IS NOT NULL OR next_look_at < now() + interval '1 minute')")));
    }

    @Override
    public void close() {
        steady.resume();
        steady.stop();
        faulty.stop();
        own.resume();
        own.awaitReady();
    }
}
