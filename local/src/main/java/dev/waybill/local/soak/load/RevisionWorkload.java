package dev.waybill.local.soak.load;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import dev.waybill.local.client.Json;
import dev.waybill.local.soak.deployments.DeploymentGroup;
import dev.waybill.local.soak.deployments.TestDeployment;
import dev.waybill.local.soak.deployments.AvailabilityProbe;
import dev.waybill.local.soak.replicas.RetryingClient;
import dev.waybill.local.soak.replicas.ReplicaPool;

/** Deployments that get new revisions all the time, while somebody uses each of them and must not notice. */
final class RevisionWorkload implements Workload {

    // The control plane shows a hundred of a deployment at once.
    private static final String THERE = """
            SELECT r.id FROM deploy.revisions r JOIN deploy.deployments d ON d.id = r.deployment_id
            WHERE d.name LIKE 'fleet-%'""";

    private final RetryingClient caller;
    private final ReplicaPool controlPlane;
    private final String superuserUrl;
    private final DeploymentGroup fleet;
    private final AvailabilityProbe probe;
    private final Queue<String> revisions = new ConcurrentLinkedQueue<>();
    private int steps;

    RevisionWorkload(RetryingClient caller, ReplicaPool controlPlane, String superuserUrl, DeploymentGroup fleet, AvailabilityProbe probe) {
        this.caller = caller;
        this.controlPlane = controlPlane;
        this.superuserUrl = superuserUrl;
        this.fleet = fleet;
        this.probe = probe;
        revisions.addAll(fleet.revisions());
    }

    @Override
    public String name() {
        return "revisions";
    }

    @Override
    public int pauseMillis() {
        return 4000;
    }

    @Override
    public void step() {
        TestDeployment member = fleet.members().get(steps++ % fleet.members().size());
        member.commit();
        revisions.add(caller.create(controlPlane, "/v2/deployments/" + member.id() + "/revisions", Json.object(),
                answer -> answer.required("id")));
    }

    @Override
    public List<String> wrong() {
        List<String> wrong = new ArrayList<>(Reconciliation.differences("revision", revisions, Reconciliation.query(superuserUrl, THERE)));
        wrong.addAll(fleet.notOnNewest());
        wrong.addAll(fleet.leftovers());
        wrong.addAll(probe.outOfDate());
        return wrong;
    }
}
