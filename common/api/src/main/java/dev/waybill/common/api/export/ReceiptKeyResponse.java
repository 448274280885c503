package dev.waybill.common.api.export;

import java.time.Instant;
import java.util.UUID;

import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * A public key that verifies receipts.
 *
 * @param publicKey in PEM format
 */
@Schema(name = "ReceiptKey")
public record ReceiptKeyResponse(UUID id, @Schema(examples = "Ed25519") String algorithm,
        @Schema(description = "The public key in PEM format (SubjectPublicKeyInfo).") String publicKey, Instant createdAt) {
}
