package dev.waybill.soak.load;

import java.util.List;

import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.client.WaybillException;
import dev.waybill.common.api.deployment.DeploymentResponse;
import dev.waybill.common.api.deployment.DeploymentSource;
import dev.waybill.local.client.Json;
import dev.waybill.soak.replicas.ReplicaPool;
import dev.waybill.soak.replicas.RetryingClient;

/** Creates deployments and deletes them immediately, whatever their status. */
final class ShortDeploymentWorkload implements Workload {

    private static final String DEPLOYMENTS = "/v2/deployments";
    private static final String NAME = "short-";

    private final RetryingClient client;
    private final ReplicaPool controlPlane;
    private final DeploymentSource source;
    private int steps;

    /** Creates the workload; its deployments have the same source as {@code template}. */
    ShortDeploymentWorkload(RetryingClient client, ReplicaPool controlPlane, DeploymentResponse template) {
        this.client = client;
        this.controlPlane = controlPlane;
        this.source = template.sourceConfig();
    }

    @Override
    public String name() {
        return "deployments";
    }

    @Override
    public int pauseMillis() {
        return 5000;
    }

    @Override
    public void step() {
        ObjectNode request = Json.object().put("name", NAME + steps++).put("source", "repohost");
        request.putObject("source_config").put("repo_url", source.repoUrl())
                .put("integration_id", String.valueOf(source.integrationId()));
        request.putObject("source_revision_config").put("repo_ref", "main");
        String id = client.create(controlPlane, DEPLOYMENTS, request, response -> response.required("id"));
        client.call(controlPlane, replica -> {
            try {
                return replica.client().json().delete(replica.at(DEPLOYMENTS + "/" + id));
            } catch (WaybillException e) {
                if (e.status() == 404) {
                    // An earlier attempt deleted it, and the replica died before it responded.
                    return Json.object();
                }
                throw e;
            }
        });
    }

    @Override
    public List<String> differences() {
        return client.get(controlPlane, DEPLOYMENTS + "?limit=100&name_contains=" + NAME).required("resources").valueStream()
                .map(remaining -> "deleted but still listed: " + remaining).toList();
    }
}
