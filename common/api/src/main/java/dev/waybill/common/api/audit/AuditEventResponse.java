package dev.waybill.common.api.audit;

import java.time.Instant;
import java.util.UUID;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** A request that may have changed something. */
@Schema(name = "AuditEvent")
public record AuditEventResponse(UUID id, Instant occurredAt,
        @Nullable @Schema(description = "Null if the request named no workspace.") UUID tenantId,
        @Schema(description = "The service that received the request.", examples = "export-service") String service,
        @Schema(description = "Type of the caller: api_key or token.", examples = "api_key") String actor,
        @Nullable @Schema(description = "Id of the API key, or subject of the bearer token.") String actorId,
        @Nullable @Schema(description = "Name of the API key, also after its deletion.") String actorName,
        @Schema(examples = "DELETE") String method,
        @Nullable @Schema(description = "Template of the operation's path.", examples = "/v1/api-keys/{id}") String route,
        @Schema(description = "The route with the ids of the request.") String path,
        @Nullable @Schema(description = "The created or changed resource, otherwise the last id of the path.") UUID resourceId,
        @Nullable @Schema(description = "Name of the created, changed or deleted API key; null for other resources.") String resourceName,
        AuditOutcome outcome,
        @Schema(examples = "204") int status,
        @Nullable @Schema(description = "Address of the client, or the one that a trusted proxy forwarded.", examples = "203.0.113.7") String clientAddress,
        @Nullable @Schema(description = "Beginning of the User-Agent header.") String userAgent,
        @Nullable @Schema(description = "The id of the request in logs and in the response header X-Request-Id.") String requestId) {
}
