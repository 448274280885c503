package dev.waybill.runtime.access;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Authentication of callers. Without keys and control plane, only requests from the loopback interface are accepted. */
@ConfigMapping(prefix = "waybill.runtime.access")
public interface AccessConfig {

    /** API keys of an application that runs without a control plane. */
    Optional<List<String>> keys();

    /** Base URL of the control plane that verifies other keys, for example {@code http://127.0.0.1:8080}. */
    Optional<URI> controlPlaneUrl();

    /** Workspace whose keys are accepted; unset, keys of all workspaces of the control plane are accepted. */
    Optional<String> workspaceId();

    /** Time for which a verified key is cached, and so the maximum time that a revoked key is still accepted. */
    @WithDefault("15s")
    Duration cacheTtl();

    /** Timeout of a request to the control plane. */
    @WithDefault("3s")
    Duration timeout();

    /** Time for which verified keys are accepted while the control plane is unavailable. */
    @WithDefault("1h")
    Duration gracePeriod();
}
