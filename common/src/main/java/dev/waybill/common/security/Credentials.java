package dev.waybill.common.security;

import java.util.UUID;

import org.jspecify.annotations.Nullable;

import io.quarkus.security.identity.request.BaseAuthenticationRequest;

/** Credentials of a request; the text is secret. */
final class Credentials extends BaseAuthenticationRequest {

    private final String secret;
    private final @Nullable UUID workspaceHeader;

    Credentials(String secret, @Nullable UUID workspaceHeader) {
        this.secret = secret;
        this.workspaceHeader = workspaceHeader;
    }

    String secret() {
        return secret;
    }

    @Nullable
    UUID workspaceHeader() {
        return workspaceHeader;
    }

    @Override
    public String toString() {
        return "Credentials[***]";
    }
}
