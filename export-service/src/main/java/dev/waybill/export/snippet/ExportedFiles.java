package dev.waybill.export.snippet;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;

import dev.waybill.export.parquet.ExportSchema;
import dev.waybill.export.run.ExportLayout;

/**
 * What is known of the files that a snippet reads.
 *
 * @param id what was asked for
 * @param scheduled whether it is made of the exports that a scheduled one made
 * @param overlapping whether some range was exported more than once
 * @param exports where the files of each export lie
 * @param endTime of the last of them, exclusive
 */
record ExportedFiles(UUID id, boolean scheduled, boolean overlapping, BucketAddress bucket, List<ExportLayout> exports,
        ExportSchema schema,
        String compression, Instant startTime, Instant endTime) {

    /** How many exports of a schedule one text names. */
    static final int MAX_EXPORTS = 10_000;

    ExportedFiles {
        exports = List.copyOf(exports);
    }

    /** What every key begins with. */
    String keyPrefix() {
        return exports.getFirst().keyPrefix();
    }

    int firstYear() {
        return startTime.atOffset(ZoneOffset.UTC).getYear();
    }

    int lastYear() {
        return endTime.minus(1, ChronoUnit.MICROS).atOffset(ZoneOffset.UTC).getYear();
    }

    /** The ids of the exports, with something between them. */
    String ids(String separator) {
        return exports.stream().map(export -> export.exportId().toString()).collect(Collectors.joining(separator));
    }

    /** The folder of every export's days with {@code one} in place of the export's id. */
    String folderOf(String one) {
        ExportLayout first = exports.getFirst();
        return first.daysFolder().replace("export_id=" + first.exportId(), "export_id=" + one);
    }

    /** The first lines of every snippet, each after what makes it a comment. */
    String header(String comment, String... notes) {
        String what = scheduled
                ? (exports.size() < MAX_EXPORTS ? "The " : "The newest ") + exports.size()
                        + " completed exports with rows of Waybill's scheduled export " + id
                : "Waybill export " + id;
        List<String> lines = new ArrayList<>();
        lines.add(what + ", " + schema.version().wireName() + ", " + compression + ".");
        if (!scheduled) {
            lines.add("Read it when its manifest is there: s3://" + bucket.name() + "/" + exports.getFirst().manifest());
        }
        if (overlapping) {
            lines.add("Some ranges were exported more than once, by backfills: count each id once.");
        }
        lines.addAll(List.of(notes));
        return lines.stream()
                .map(line -> comment + " " + Literals.comment(line) + "\n")
                .collect(Collectors.joining());
    }
}
