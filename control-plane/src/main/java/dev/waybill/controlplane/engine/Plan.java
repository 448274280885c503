package dev.waybill.controlplane.engine;

import java.net.URI;
import java.util.Map;
import java.util.UUID;

/**
 * The desired state of a revision. Equal in every call for one revision, on every replica.
 *
 * @param number the revision's number within its deployment, counted from 1
 * @param name the deployment's name, a DNS label
 * @param environment the application's environment variables: the deployment's secrets and the platform's
 * @param port the deployment's unique port on this machine, the same for all of its revisions
 * @param url the deployment's address for clients
 */
public record Plan(UUID tenantId, UUID deploymentId, UUID revisionId, long number, String name, ApplicationSource source,
        Map<String, String> environment, ResourceSpec resources, int port, URI url) {

    public Plan {
        environment = Map.copyOf(environment);
    }

    /** Omits the values of the environment. */
    @Override
    public String toString() {
        return "Plan[deployment=" + deploymentId + ", revision=" + revisionId + ", number=" + number + ", source=" + source
                + ", environment=" + environment.keySet() + "]";
    }
}
