package dev.waybill.common.security;

import java.util.Optional;

import io.smallrye.config.ConfigMapping;

/** The installation's operator, who makes organizations. */
@ConfigMapping(prefix = "waybill.operator")
public interface OperatorConfig {

    /** The operator's key, at least 32 characters; without it nobody can make organizations by the API. */
    Optional<String> key();
}
