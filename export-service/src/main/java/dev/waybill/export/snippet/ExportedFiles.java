package dev.waybill.export.snippet;

import java.net.URI;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import dev.waybill.export.parquet.ExportSchema;
import dev.waybill.export.run.ExportLayout;

/**
 * The files that a snippet reads.
 *
 * @param id the requested export
 * @param scheduled whether the export is scheduled; the snippet then reads the exports of its windows
 * @param overlapping whether a range was exported more than once
 * @param exports the layout of each export's files
 * @param endTime the exclusive end of the last export
 */
record ExportedFiles(UUID id, boolean scheduled, boolean overlapping, BucketAddress bucket, List<ExportLayout> exports,
        ExportSchema schema,
        String compression, Instant startTime, Instant endTime) {

    /** Maximum number of exports in the snippet of a scheduled export. */
    static final int MAX_EXPORTS = 10_000;

    ExportedFiles {
        exports = List.copyOf(exports);
    }

    /** Returns the prefix of every key. */
    String keyPrefix() {
        return exports.getFirst().keyPrefix();
    }

    int firstYear() {
        return startTime.atOffset(ZoneOffset.UTC).getYear();
    }

    int lastYear() {
        return endTime.minus(1, ChronoUnit.MICROS).atOffset(ZoneOffset.UTC).getYear();
    }

    /** Returns the ids of the exports, joined by the separator. */
    String ids(String separator) {
        return exports.stream().map(export -> export.exportId().toString()).collect(Collectors.joining(separator));
    }

    /** Returns the folder with the days of an export, with {@code exportId} in place of the export's id. */
    String folderOf(String exportId) {
        ExportLayout first = exports.getFirst();
        return first.daysFolder().replace("export_id=" + first.exportId(), "export_id=" + exportId);
    }

    /** Returns the first lines of every snippet, each with the prefix of a comment. */
    String header(String comment, String... notes) {
        String what = scheduled
                ? (exports.size() < MAX_EXPORTS ? "The " : "The newest ") + exports.size()
                        + " completed exports with rows of Waybill's scheduled export " + id
                : "Waybill export " + id;
        List<String> lines = new ArrayList<>();
        lines.add(what + ", " + schema.version().wireName() + ", " + compression + ".");
        if (!scheduled) {
            lines.add("The export is complete when its manifest exists: s3://" + bucket.name() + "/"
                    + exports.getFirst().manifest());
        }
        if (overlapping) {
            lines.add("Backfills exported some ranges more than once: count each id once.");
        }
        lines.addAll(List.of(notes));
        return lines.stream()
                .map(line -> comment + " " + Literals.comment(line) + "\n")
                .collect(Collectors.joining());
    }

    /**
     * The address of a bucket.
     *
     * @param endpoint null for AWS
     * @param virtualHost whether the endpoint requires virtual-hosted-style addresses
     */
    record BucketAddress(String name, @Nullable String region, @Nullable URI endpoint, boolean virtualHost) {

        private static final String GCS = "storage.googleapis.com";

        boolean isAws() {
            return endpoint == null;
        }

        boolean isGcs() {
            return endpoint != null && GCS.equalsIgnoreCase(endpoint.getHost());
        }

        /** Returns the region, or a default, which stores without regions ignore. */
        String regionOrDefault() {
            return region == null ? "us-east-1" : region;
        }

        /** Returns the URL of the store's API, without a trailing slash. */
        String endpointUrl() {
            return endpoint == null ? "https://s3." + regionOrDefault() + ".amazonaws.com"
                    : endpoint.toString().replaceFirst("/+$", "");
        }

        /** Returns host and port of the endpoint. */
        String authority() {
            return endpointUrl().replaceFirst("^[a-zA-Z]+://", "");
        }

        /** Returns the URL of the bucket, without a trailing slash. */
        String bucketUrl() {
            return virtualHost ? endpointUrl().replaceFirst("//", "//" + name + ".") : endpointUrl() + "/" + name;
        }

        boolean isPlainHttp() {
            return endpoint != null && "http".equalsIgnoreCase(endpoint.getScheme());
        }
    }
}
