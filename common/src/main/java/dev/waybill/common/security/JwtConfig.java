package dev.waybill.common.security;

import java.util.Optional;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Bearer tokens of an identity provider; they are accepted only if both the issuer and the key set are configured. */
@ConfigMapping(prefix = "waybill.jwt")
public interface JwtConfig {

    /** Required issuer ({@code iss}) of tokens. */
    Optional<String> issuer();

    /** URL of the issuer's JSON Web Key Set. */
    Optional<String> jwksUrl();

    /** Required audience ({@code aud}) of tokens; if absent, any audience is accepted. */
    Optional<String> audience();

    /** Claim with the role, {@code admin} or {@code member}; tokens without it have the role member. */
    @WithDefault("waybill_role")
    String roleClaim();
}
