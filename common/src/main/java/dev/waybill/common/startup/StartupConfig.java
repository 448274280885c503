package dev.waybill.common.startup;

import java.util.Optional;
import java.util.Set;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Statements of the operator about the environment of the installation. */
@ConfigMapping(prefix = "waybill.startup")
public interface StartupConfig {

    /** Whether a proxy in front of the service terminates TLS, so that the service may listen without TLS. */
    @WithDefault("false")
    boolean behindProxy();

    /** Properties whose unsafe values are intended in production, for example {@code waybill.net.allow-http}. */
    Optional<Set<String>> allowUnsafe();
}
