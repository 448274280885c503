package dev.waybill.common.startup;

import java.util.Optional;
import java.util.Set;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** What the operator of an installation vouches for at start. */
@ConfigMapping(prefix = "waybill.startup")
public interface StartupConfig {

    /** Whether something in front of the service ends TLS, so that it may listen without. */
    @WithDefault("false")
    boolean behindProxy();

    /** Properties whose unsafe values are wanted in production nevertheless, for example {@code waybill.net.allow-http}. */
    Optional<Set<String>> accept();
}
