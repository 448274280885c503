package dev.waybill.runtime.access;

import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

import dev.waybill.common.audit.Actor;
import io.vertx.core.json.JsonObject;

/**
 * Whom a key stands for, as the control plane says.
 *
 * @param principal whose runs it sees: all keys of a workspace see the same
 * @param actor which key it is, for the audit log
 * @param expiresAt when the key stops working; empty for one without an end
 */
record Holder(String principal, Actor actor, Optional<Instant> expiresAt) {

    boolean isExpired(Instant now) {
        return expiresAt.isPresent() && !now.isBefore(expiresAt.get());
    }

    /** What {@code GET /v1/whoami} answered. */
    static Holder from(JsonObject whoami) {
        String workspace = whoami.getString("tenant_id");
        String principal = workspace == null ? "organization:" + whoami.getString("organization_id") : "workspace:" + workspace;
        Optional<UUID> key = id(whoami, "api_key_id");
        return new Holder(principal,
                new Actor(key.isPresent() ? "api_key" : "caller", key.map(UUID::toString).orElse(principal),
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
