package dev.waybill.common.api.export;

import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Where in which bucket exports go: the wire's {@code config} (interface.md 2.3). The grammar is narrow, because both names
 * become part of addresses and object keys.
 *
 * @param prefix without slashes around it; may be empty
 */
@Schema(name = "BucketLocation")
public record BucketLocation(
        @Schema(examples = "acme-traces") //
        @NotNull(message = "must be given") //
        @Pattern(regexp = BucketLocation.BUCKET, message = "must be a bucket's name: 3 to 63 lower-case letters, digits, dots, hyphens or underscores, beginning and ending with a letter or digit") //
        String bucketName,

        @Schema(examples = "waybill/exports", pattern = "^[A-Za-z0-9._+=@,!'()/-]*$", description = "Root of everything that is exported; may be empty. Slashes around it are trimmed. No folder of it may begin with the name of a partition (year=, tenant_id= ...) or column (id=, status= ...) of the files: readers would take it for that; others such as team=search may.") //
        @NotNull(message = "must be given; it may be empty") //
        @Size(max = BucketLocation.LONGEST_PREFIX, message = "must have at most 512 characters") //
        @Pattern(regexp = BucketLocation.PREFIX, message = "must be names of letters, digits and . _ - + = @ , ! ' ( ) with single slashes between them, none of them . or ..") //
        @NoColumnFolders //
        String prefix,

        @Schema(examples = "eu-central-1", description = "The bucket's region; required for AWS.") //
        @Pattern(regexp = "[a-z0-9]([a-z0-9-]{0,62}[a-z0-9])?", message = "must be a region's name such as eu-central-1") //
        @Nullable String region,

        @Schema(examples = "https://storage.googleapis.com", description = "The S3-compatible endpoint; omit for AWS.") //
        @Size(max = 2048, message = "must have at most 2048 characters") //
        @Nullable String endpointUrl,

        @Schema(defaultValue = "false", description = "Whether the bucket's name is also the first part of every key.") //
        @Nullable Boolean includeBucketInPrefix) {

    /** Keys have at most 1,024 bytes; the rest is for the export's own part. */
    static final int LONGEST_PREFIX = 512;
    static final String BUCKET = "(?!.*\\.\\.)(?![0-9.]+$)[a-z0-9][a-z0-9._-]{1,61}[a-z0-9]";
    // The length first: the rest goes one call deeper for every name.
    static final String PREFIX = "(?=.{0,512}$)(?:(?!\\.{1,2}(?:/|$))[A-Za-z0-9._+=@,!'()-]+(?:/(?!$)|$))*";

    public BucketLocation {
        // Absent members are told by validation, which comes later.
        prefix = prefix == null ? prefix : trimSlashes(prefix);
        region = blankToNull(region);
        endpointUrl = blankToNull(endpointUrl);
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
