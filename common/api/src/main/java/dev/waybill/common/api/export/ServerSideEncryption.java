package dev.waybill.common.api.export;

import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Server-side encryption of a destination's objects.
 *
 * @param kmsKeyId null for the default key of the account
 */
@Schema(name = "ServerSideEncryption")
public record ServerSideEncryption(
        @Schema(enumeration = {
                "AES256", "aws:kms", "aws:kms:dsse" }) //
        @NotNull(message = "must be given") //
        @Pattern(regexp = "AES256|aws:kms|aws:kms:dsse", message = "must be AES256, aws:kms or aws:kms:dsse") //
        String type,

        @Schema(examples = "arn:aws:kms:eu-central-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab", description = "Id, ARN or alias of the key, only for aws:kms and aws:kms:dsse; the default key of the account if absent.") //
        @Size(min = 1, max = 2048, message = "must have 1 to 2048 characters") //
        @Pattern(regexp = DestinationCredentials.VISIBLE, message = "must have no spaces and no characters other than ASCII") //
        @Nullable String kmsKeyId){
}
