package dev.waybill.common.api.export;

import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Where in which bucket exports go, and how objects are written: the wire's {@code config} (interface.md 2.3, contract.md
 * "Decided on 2026-11-23").
 *
 * @param prefix without slashes around it; may be empty
 */
@Schema(name = "BucketLocation")
public record BucketLocation(
        @Schema(examples = "acme-traces") //
        @NotNull(message = "must be given") //
        @Pattern(regexp = BucketLocation.BUCKET, message = "must be a bucket's name: 3 to 63 lower-case letters, digits, dots, hyphens or underscores, beginning and ending with a letter or digit") //
        String bucketName,

        @Schema(examples = "waybill/exports", description = "Root of everything that is exported; may be empty. Any characters but control characters, at most 512 bytes in UTF-8; no folder may be empty, . or .. . Slashes around it are trimmed. No folder of it may begin with the name of a partition (year=, tenant_id= ...) or column (id=, status= ...) of the files: readers would take it for that; others such as team=search may.") //
        @NotNull(message = "must be given; it may be empty") //
        @PlainPrefix //
        @ValidPrefixFolders //
        String prefix,

        @Schema(examples = "eu-central-1", description = "The bucket's region; required for AWS.") //
        @Pattern(regexp = "[a-z0-9]([a-z0-9-]{0,62}[a-z0-9])?", message = "must be a region's name such as eu-central-1") //
        @Nullable String region,

        @Schema(examples = "https://storage.googleapis.com", description = "The S3-compatible endpoint; omit for AWS.") //
        @Size(max = 2048, message = "must have at most 2048 characters") //
        @Nullable String endpointUrl,

        @Schema(defaultValue = "false", description = "Whether the bucket's name is also the first part of every key.") //
        @Nullable Boolean includeBucketInPrefix,

        @Schema(examples = "bucket-owner-full-control", description = "A canned access control list that every object is written with; the bucket's default when absent.", enumeration = {
                "private", "public-read", "public-read-write", "authenticated-read", "aws-exec-read", "bucket-owner-read",
                "bucket-owner-full-control" }) //
        @Pattern(regexp = BucketLocation.ACL, message = "must be private, public-read, public-read-write, authenticated-read, aws-exec-read, bucket-owner-read or bucket-owner-full-control") //
        @Nullable String acl,

        @Schema(description = "Encryption that every object is written with; the bucket's default when absent.") //
        @Valid //
        @Nullable ServerSideEncryption serverSideEncryption){

    /** Keys have at most 1,024 bytes; the rest is for the export's own part. */
    static final int LONGEST_PREFIX = 512;
    static final String BUCKET = "(?!.*\\.\\.)(?![0-9.]+$)[a-z0-9][a-z0-9._-]{1,61}[a-z0-9]";
    static final String ACL = "private|public-read|public-read-write|authenticated-read|aws-exec-read|bucket-owner-read"
            + "|bucket-owner-full-control";

    public BucketLocation {
        // Absent members are told by validation, which comes later.
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
