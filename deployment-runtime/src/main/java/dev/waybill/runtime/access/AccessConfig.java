package dev.waybill.runtime.access;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Whose calls are answered. With neither keys nor a control plane, only those from this machine. */
@ConfigMapping(prefix = "waybill.runtime.access")
public interface AccessConfig {

    /** Keys that open the application, for one that stands alone. */
    Optional<List<String>> keys();

    /** The control plane that further keys are checked against, for example {@code http://127.0.0.1:8080}. */
    Optional<URI> controlPlaneUrl();

    /** The workspace whose keys are let in; without it those of every workspace that the control plane knows. */
    Optional<String> workspaceId();

    /** How long a checked key is taken as good, and so how long a revoked one may still work. At most 30 s. */
    @WithDefault("15s")
    Duration cache();

    /**
     * How often the keys of open streams are looked at again; a stream whose key was revoked is closed after {@code cache} and
     * this at most, together at most 30 s.
     */
    @WithDefault("5s")
    Duration recheck();

    /** How many keys are remembered at most. */
    @WithDefault("10000")
    int cached();

    /** How long the control plane may take to answer. */
    @WithDefault("3s")
    Duration timeout();

    /** How long keys that were good go on working while the control plane is away. */
    @WithDefault("1h")
    Duration grace();
}
