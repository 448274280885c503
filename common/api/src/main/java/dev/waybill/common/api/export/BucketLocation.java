package dev.waybill.common.api.export;

import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * The {@code config} of a destination: the bucket, the prefix, and how objects are written.
 *
 * @param prefix without leading and trailing slashes; may be empty
 */
@Schema(name = "BucketLocation")
public record BucketLocation(
        @Schema(examples = "acme-traces") //
        @NotNull(message = "must be given") //
        @Pattern(regexp = BucketLocation.BUCKET, message = "must be a bucket name: 3 to 63 lower-case letters, digits, dots, hyphens or underscores, beginning and ending with a letter or digit") //
        String bucketName,

        @Schema(examples = "waybill/exports", description = "Prefix of all exported objects; may be empty. Any characters except control characters, at most 512 bytes in UTF-8; no folder may be empty, . or .. . Leading and trailing slashes are trimmed. No folder may begin with the name of a partition (year=, tenant_id= ...) or column (id=, status= ...) of the files, because readers would interpret it as such; others such as team=search are allowed.") //
        @NotNull(message = "must be given; it may be empty") //
        @ValidPrefix //
        @ValidPrefixFolders //
        String prefix,

        @Schema(examples = "eu-central-1", description = "Region of the bucket; required for AWS.") //
        @Pattern(regexp = "[a-z0-9]([a-z0-9-]{0,62}[a-z0-9])?", message = "must be a region name such as eu-central-1") //
        @Nullable String region,

        @Schema(examples = "https://storage.googleapis.com", description = "The S3-compatible endpoint; omit for AWS.") //
        @Size(max = 2048, message = "must have at most 2048 characters") //
        @Nullable String endpointUrl,

        @Schema(defaultValue = "false", description = "Whether every object key begins with the name of the bucket.") //
        @Nullable Boolean includeBucketInPrefix,

        @Schema(examples = "bucket-owner-full-control", description = "Canned access control list of every object; the bucket's default if absent.", enumeration = {
                "private", "public-read", "public-read-write", "authenticated-read", "aws-exec-read", "bucket-owner-read",
                "bucket-owner-full-control" }) //
        @Pattern(regexp = BucketLocation.ACL, message = "must be private, public-read, public-read-write, authenticated-read, aws-exec-read, bucket-owner-read or bucket-owner-full-control") //
        @Nullable String acl,

        @Schema(description = "Encryption of every object; the bucket's default if absent.") //
        @Valid //
        @Nullable ServerSideEncryption serverSideEncryption){

    /** Object keys have at most 1,024 bytes; the rest is reserved for the export's own part. */
    static final int MAX_PREFIX_LENGTH = 512;
    static final String BUCKET = "(?!.*\\.\\.)(?![0-9.]+$)[a-z0-9][a-z0-9._-]{1,61}[a-z0-9]";
    static final String ACL = "private|public-read|public-read-write|authenticated-read|aws-exec-read|bucket-owner-read"
            + "|bucket-owner-full-control";

    public BucketLocation {
        // Validation reports absent members later.
        prefix = prefix == null ? prefix : trimSlashes(prefix);
        region = blankToNull(region);
        endpointUrl = blankToNull(endpointUrl);
        acl = blankToNull(acl);
        includeBucketInPrefix = includeBucketInPrefix != null && includeBucketInPrefix;
    }

    private static String trimSlashes(String text) {
        int from = 0;
        int to = text.length();
        while (from < to && text.charAt(from) == '/') {
            from++;
        }
        while (to > from && text.charAt(to - 1) == '/') {
            to--;
        }
        return text.substring(from, to);
    }

    private static @Nullable String blankToNull(@Nullable String text) {
        return text == null || text.isBlank() ? null : text;
    }
}
