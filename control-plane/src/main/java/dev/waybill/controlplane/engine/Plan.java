package dev.waybill.controlplane.engine;

import java.net.URI;
import java.util.Map;
import java.util.UUID;

/**
 * What a revision is to become. Equal in every call for one revision, whichever replica makes it.
 *
 * @param number of the revision within its deployment, from 1: the greater is the newer
 * @param name of the deployment, a DNS label
 * @param environment what the application finds as its environment: the deployment's secrets, and what the platform gives it in
 *        confidence
 * @param port of the deployment on this machine, the same for all its revisions and for no other deployment's
 * @param url where clients reach the deployment
 */
public record Plan(UUID tenantId, UUID deploymentId, UUID revisionId, long number, String name, ApplicationSource source,
        Map<String, String> environment, ResourceSpec resources, int port, URI url) {

    public Plan {
        environment = Map.copyOf(environment);
    }

    /** Without the values of the environment. */
    @Override
    public String toString() {
        return "Plan[deployment=" + deploymentId + ", revision=" + revisionId + ", number=" + number + ", source=" + source
                + ", environment=" + environment.keySet() + "]";
    }
}
