package dev.waybill.soak.deployments;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

import dev.waybill.local.client.WaybillClient;

/**
 * The control planes and folders of a group of deployments.
 *
 * @param client a client of the workspace
 * @param apiKey the client's API key
 * @param controlPlanes replicas that are called in random order
 * @param applications the folder in which the engine stores applications
 * @param folder the folder of the source repositories
 */
public record DeploymentTarget(WaybillClient client, String apiKey, List<URI> controlPlanes, Path applications, Path folder) {

    /** Resolves a path against a random control plane. */
    URI resolve(String path) {
        return controlPlanes.get(ThreadLocalRandom.current().nextInt(controlPlanes.size())).resolve(path);
    }
}
