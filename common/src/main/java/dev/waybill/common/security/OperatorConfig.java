package dev.waybill.common.security;

import java.util.Optional;

import io.smallrye.config.ConfigMapping;

/** The operator of the installation, who creates organizations. */
@ConfigMapping(prefix = "waybill.operator")
public interface OperatorConfig {

    /** The operator's key, at least 32 characters; without it, organizations cannot be created with the API. */
    Optional<String> key();
}
