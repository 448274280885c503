package dev.waybill.common.api.export;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

import org.eclipse.microprofile.openapi.annotations.media.Schema;

import dev.waybill.common.api.Auditable;

/**
 * A destination without its secrets.
 *
 * @param credentialsKeys names of the stored credentials, never their values
 */
@Schema(name = "Destination")
public record DestinationResponse(
        @Schema(examples = "019aa39c-0c26-7b30-8f5a-3d2b1f0c9e77") UUID id,
        UUID tenantId,
        DestinationType destinationType,
        @Schema(examples = "Acme trace archive") String displayName,
        BucketLocation config,
        @Schema(examples = "[\"access_key_id\", \"secret_access_key\"]") List<String> credentialsKeys,
        Instant createdAt,
        Instant updatedAt) implements Auditable {
}
