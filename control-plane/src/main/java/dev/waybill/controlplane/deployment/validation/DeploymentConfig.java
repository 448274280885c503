package dev.waybill.controlplane.deployment.validation;

import java.net.URI;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** URLs and ports of deployed applications. */
@ConfigMapping(prefix = "waybill.deployment")
public interface DeploymentConfig {

    /** URL template of deployments, with the placeholders {port}, {name}, {id} and {tenant_id}. */
    @WithDefault("http://localhost:{port}")
    String url();

    /** First port of the range that is allocated to deployments if the URL has {port}. */
    @WithDefault("8100")
    int firstPort();

    /** Last port of the range, which limits the number of deployments. */
    @WithDefault("9999")
    int lastPort();

    /** Domains that custom_url may use with the engine kubernetes; if empty, custom_url is rejected. */
    Optional<Set<String>> customDomains();

    /**
     * Whether external_docker deployments must name their image by digest, so that a redeployment runs the same image.
     */
    @WithDefault("false")
    boolean requireImageDigest();

    /** Returns whether each deployment gets a port. */
    default boolean usesPorts() {
        return url().contains("{port}");
    }

    /** Returns the URL of a deployment. */
    default URI address(UUID tenantId, UUID id, String name, int port) {
        return URI.create(url().replace("{port}", String.valueOf(port)).replace("{name}", name)
                .replace("{id}", id.toString()).replace("{tenant_id}", tenantId.toString()));
    }
}
