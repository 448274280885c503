package dev.waybill.local.soak.deployments;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

import dev.waybill.local.client.WaybillClient;

/**
 * Where a fleet is deployed.
 *
 * @param client of its workspace
 * @param apiKey the client's
 * @param controlPlanes any of which may be asked
 * @param applications where their engine keeps what it runs
 * @param folder for the repositories
 */
public record DeploymentTarget(WaybillClient client, String apiKey, List<URI> controlPlanes, Path applications, Path folder) {

    /** @return the address at one of the control planes */
    URI at(String path) {
        return controlPlanes.get(ThreadLocalRandom.current().nextInt(controlPlanes.size())).resolve(path);
    }
}
