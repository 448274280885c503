package dev.waybill.common.security;

import java.util.Optional;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Bearer tokens of an identity provider; both issuer and key set must be set for any to be accepted. */
@ConfigMapping(prefix = "waybill.jwt")
public interface JwtConfig {

    /** The issuer ({@code iss}) that tokens must name. */
    Optional<String> issuer();

    /** The address of the issuer's JSON Web Key Set. */
    Optional<String> jwksUrl();

    /** The audience ({@code aud}) that tokens must name; without it any is accepted. */
    Optional<String> audience();

    /** The claim that holds the role, {@code admin} or {@code member}; tokens without it are members. */
    @WithDefault("waybill_role")
    String roleClaim();
}
