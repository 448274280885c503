package dev.waybill.common.api.export;

import java.util.UUID;

import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * A signed statement that an export was intact.
 *
 * @param keyId the key, one of the workspace's receipt keys
 * @param payload canonical JSON (RFC 8785)
 * @param signature of the payload in UTF-8, in Base64
 */
@Schema(name = "Receipt")
public record Receipt(
        @Schema(examples = "Ed25519") String algorithm,
        @Schema(description = "Id of the key, one of `GET /api/v1/bulk-exports/receipt-keys/{tenant_id}`.") UUID keyId,
        @Schema(description = "The statement as canonical JSON (RFC 8785): export, workspace, project, range, filter, rows, bytes, number of files, `files_sha256` (SHA-256 of the lines `<sha256>  <path>` of all files in the order of the manifest), `manifest_sha256`, `schema_sha256`, endpoint (null for AWS), region and bucket, objects_listed, `verification_id`, `read_from` (when the verification began to read) and verified_at.") String payload,
        @Schema(description = "Signature of the payload's UTF-8 bytes, in Base64.") String signature) {
}
