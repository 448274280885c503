package dev.waybill.soak.deployments;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

import dev.waybill.client.ControlPlaneClient;
import dev.waybill.client.WaybillClients;
import dev.waybill.local.tour.Deployer;

/**
 * The control planes and folders of a group of deployments.
 *
 * @param client a client of the workspace
 * @param apiKey the client's API key
 * @param controlPlanes replicas that are called in random order
 * @param applications the folder in which the engine stores applications
 * @param folder the folder of the source repositories
 */
public record DeploymentTarget(WaybillClients client, String apiKey, List<URI> controlPlanes, Path applications, Path folder) {

    /** Returns a client of a random control plane. */
    Deployer deployer() {
        return new Deployer(client, controlPlanes.get(ThreadLocalRandom.current().nextInt(controlPlanes.size())));
    }

    ControlPlaneClient controlPlane() {
        return deployer().client();
    }
}
