package dev.waybill.runtime.access;

import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

import dev.waybill.common.audit.Actor;
import io.vertx.core.json.JsonObject;

/**
 * The principal of an API key, as reported by the control plane.
 *
 * @param name owner of the runs that the key may access; the same for all keys of a workspace
 * @param actor the key itself, for the audit log
 * @param expiresAt expiry of the key; empty for a key without one
 */
record Principal(String name, Actor actor, Optional<Instant> expiresAt) {

    boolean isExpired(Instant now) {
        return expiresAt.isPresent() && !now.isBefore(expiresAt.get());
    }

    /** Maps the response of {@code GET /v1/whoami}. */
    static Principal from(JsonObject whoami) {
        String workspace = whoami.getString("tenant_id");
        String name = workspace == null ? "organization:" + whoami.getString("organization_id") : "workspace:" + workspace;
        Optional<UUID> key = id(whoami, "api_key_id");
        return new Principal(name,
                new Actor(key.isPresent() ? "api_key" : "caller", key.map(UUID::toString).orElse(name),
                        id(whoami, "organization_id").orElse(null), id(whoami, "tenant_id").orElse(null)),
                Optional.ofNullable(whoami.getString("expires_at")).map(Instant::parse));
    }

    private static Optional<UUID> id(JsonObject whoami, String member) {
        String text = whoami.getString(member);
        try {
            return text == null ? Optional.empty() : Optional.of(UUID.fromString(text));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
