package dev.waybill.soak.load;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import dev.waybill.local.client.Json;
import dev.waybill.soak.deployments.AvailabilityProbe;
import dev.waybill.soak.deployments.DeploymentGroup;
import dev.waybill.soak.deployments.TestDeployment;
import dev.waybill.soak.replicas.ReplicaPool;
import dev.waybill.soak.replicas.RetryingClient;

/** Creates new revisions of deployments while an {@link AvailabilityProbe} sends them requests. */
final class RevisionWorkload implements Workload {

    // Not through the API, which returns at most a hundred revisions of a deployment.
    private static final String STORED = """
            SELECT r.id FROM deploy.revisions r JOIN deploy.deployments d ON d.id = r.deployment_id
            WHERE d.name LIKE 'fleet-%'""";

    private final RetryingClient client;
    private final ReplicaPool controlPlane;
    private final String superuserUrl;
    private final DeploymentGroup deployments;
    private final AvailabilityProbe probe;
    private final Queue<String> revisions = new ConcurrentLinkedQueue<>();
    private int steps;

    RevisionWorkload(RetryingClient client, ReplicaPool controlPlane, String superuserUrl, DeploymentGroup deployments,
            AvailabilityProbe probe) {
        this.client = client;
        this.controlPlane = controlPlane;
        this.superuserUrl = superuserUrl;
        this.deployments = deployments;
        this.probe = probe;
        revisions.addAll(deployments.revisions());
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
        TestDeployment deployment = deployments.deployments().get(steps++ % deployments.deployments().size());
        deployment.commit();
        revisions.add(client.create(controlPlane, "/v2/deployments/" + deployment.id() + "/revisions", Json.object(),
                response -> response.required("id")));
    }

    @Override
    public List<String> differences() {
        List<String> differences = new ArrayList<>(
                Reconciliation.differences("revision", revisions, Reconciliation.query(superuserUrl, STORED)));
        differences.addAll(deployments.outdated());
        differences.addAll(deployments.obsoleteResources());
        differences.addAll(probe.outdated());
        return differences;
    }
}
