package dev.waybill.controlplane.deployment.address;

import java.net.URI;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Where deployed applications are reached. */
@ConfigMapping(prefix = "waybill.deployment")
public interface DeploymentConfig {

    /** The address of a deployment; {port}, {name}, {id} and {tenant_id} stand for its own. */
    @WithDefault("http://localhost:{port}")
    String url();

    /** The first of the ports that deployments get, each one of its own, where the address has one. */
    @WithDefault("8100")
    int firstPort();

    /** The last of them, and so how many deployments there may be. */
    @WithDefault("9999")
    int lastPort();

    /** Domains under which deployments may have a custom_url, with the engine kubernetes; none without. */
    Optional<Set<String>> customDomains();

    /** Whether external_docker deployments must name their image by its digest, so that a redeployment runs the same. */
    @WithDefault("false")
    boolean requireImageDigest();

    /** Whether deployments get a port. */
    default boolean usesPorts() {
        return url().contains("{port}");
    }

    /** The address of one deployment. */
    default URI address(UUID tenantId, UUID id, String name, int port) {
        return URI.create(url().replace("{port}", String.valueOf(port)).replace("{name}", name)
                .replace("{id}", id.toString()).replace("{tenant_id}", tenantId.toString()));
    }
}
