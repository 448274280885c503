package dev.waybill.local;

import static org.awaitility.Awaitility.await;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import dev.waybill.local.client.Json;
import dev.waybill.local.client.WaybillException;
import dev.waybill.local.soak.deployments.DeploymentTarget;
import dev.waybill.local.soak.deployments.TestDeployment;
import dev.waybill.local.stack.Replica;
import dev.waybill.local.stack.ServiceKind;
import dev.waybill.local.stack.ServiceProcess;
import dev.waybill.local.storage.FreePort;

/**
 * Two control planes on the stack's database and one folder of applications, with {@link LightRuntime}; the stack's own stands
 * still meanwhile. One of the two can be stopped at points of its code.
 */
final class ControlPlanes implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofMinutes(10);

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

    /** Returns when both are ready. */
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
                // Only takeOver() ends one: on a busy machine a short one ends by itself, and its step is done again.
                .property("waybill.rollout.lease", "2m")
                .property("waybill.engine.local.runtime", runtime.toString())
                .property("waybill.engine.local.directory", applications.toString())
                .property("waybill.engine.local.end-with-control-plane", "false");
    }

    /** Whoever asks meets one or the other, once both are there. */
    DeploymentTarget both() {
        faulty.awaitReady();
        return ground(List.of(steady.address(), faulty.address()));
    }

    /** Whoever asks meets the one that nothing is done to. */
    DeploymentTarget steady() {
        return ground(List.of(steady.address()));
    }

    private DeploymentTarget ground(List<URI> addresses) {
        return new DeploymentTarget(workspace.client(), workspace.apiKey(), addresses, applications, folder);
    }

    /** A debugger on the faulty one, when both have nothing more to do; from then on the steady one stands still. */
    Debugger alone() {
        faulty.awaitReady();
        awaitRest();
        Debugger debugger = Debugger.attach(debugPort);
        steady.pause();
        return debugger;
    }

    /** Asks the faulty one for a new revision, and returns when it has stopped there: perhaps before it has answered. */
    void updateAndStop(TestDeployment member, Debugger debugger, CodePoint point) {
        debugger.arm(point);
        URI revisions = faulty.address().resolve("/v2/deployments/" + member.id() + "/revisions");
        member.commit();
        Thread.ofVirtual().start(() -> {
            try {
                workspace.client().post(revisions, Json.object());
            } catch (WaybillException | java.io.UncheckedIOException _) {
                // The revision is there; that the control plane says so is not waited for.
            }
        });
        debugger.awaitStop(point);
    }

    /** kill -9 of the faulty one; it is started again, and the steady one goes on. */
    void die() {
        faulty.kill();
        faulty.start();
        takeOver();
    }

    /**
     * The steady one goes on, and the leases of the other have run out. On a slow machine short ones would do so by themselves.
     */
    void takeOver() {
        TableText.query(
                "WITH over AS (UPDATE deploy.deployments SET lease_until = now() - interval '1 second' WHERE tenant_id = '"
                        + workspace.tenantId() + "' AND lease_until IS NOT NULL RETURNING 1) SELECT count(*) FROM over");
        steady.resume();
    }

    /** The steady one goes on. */
    void resume() {
        steady.resume();
    }

    /** Nothing of the workspace is worked on, and everything was looked at that is to be after a start. */
    void awaitRest() {
        await().atMost(PATIENCE).until(() -> "0".equals(TableText.value("SELECT count(*) FROM deploy.deployments"
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
