package dev.waybill.export.destination;

import java.time.Instant;
import java.util.Locale;
import java.util.UUID;

import dev.waybill.common.api.export.DestinationResponse;
import dev.waybill.common.api.export.DestinationType;
import dev.waybill.export.destination.CredentialValidator.ValidatedCredentials;

/** A bucket with credentials, to which a workspace can export. */
record Destination(UUID tenantId, UUID id, String displayName, Bucket bucket, ValidatedCredentials credentials,
        Instant createdAt,
        Instant updatedAt) {

    DestinationResponse toResponse() {
        return new DestinationResponse(id, tenantId, DestinationType.valueOf(bucket.type().toUpperCase(Locale.ROOT)),
                displayName, bucket.toLocation(),
                credentials.encrypted().keys(), createdAt, updatedAt);
    }
}
