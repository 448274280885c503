package dev.waybill.local.soak.load;

import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.local.client.Json;
import dev.waybill.local.client.WaybillException;
import dev.waybill.local.soak.replicas.RetryingClient;
import dev.waybill.local.soak.replicas.ReplicaPool;

/** Deployments that are made and at once deleted, wherever they are by then. */
final class ShortDeploymentWorkload implements Workload {

    private static final String DEPLOYMENTS = "/v2/deployments";
    private static final String NAME = "short-";

    private final RetryingClient caller;
    private final ReplicaPool controlPlane;
    private final JsonNode model;
    private int steps;

    /** @param model a deployment, whose source the others have, too */
    ShortDeploymentWorkload(RetryingClient caller, ReplicaPool controlPlane, JsonNode model) {
        this.caller = caller;
        this.controlPlane = controlPlane;
        this.model = model;
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
        request.putObject("source_config").put("repo_url", model.at("/source_config/repo_url").textValue())
                .put("integration_id", model.at("/source_config/integration_id").textValue());
        request.putObject("source_revision_config").put("repo_ref", "main");
        String id = caller.create(controlPlane, DEPLOYMENTS, request, answer -> answer.required("id"));
        caller.ask(controlPlane, member -> {
            try {
                return member.client().delete(member.at(DEPLOYMENTS + "/" + id));
            } catch (WaybillException e) {
                if (e.status() == 404) {
                    // It was deleted, and who did so has died before it could say so.
                    return Json.object();
                }
                throw e;
            }
        });
    }

    @Override
    public List<String> wrong() {
        return caller.get(controlPlane, DEPLOYMENTS + "?limit=100&name_contains=" + NAME).required("resources").valueStream()
                .map(left -> "deleted and still there: " + left).toList();
    }
}
