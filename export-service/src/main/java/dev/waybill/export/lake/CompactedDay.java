package dev.waybill.export.lake;

import java.util.List;

import dev.waybill.export.parquet.WrittenFile;
import dev.waybill.export.storage.PreparedUpload;
import dev.waybill.export.trace.Snapshot;

/**
 * The files of a day, all parts of which are uploaded.
 *
 * @param snapshot the snapshot in which the rows were read
 * @param files none for a day without runs
 */
record CompactedDay(Snapshot snapshot, List<LakeFile> files) {

    CompactedDay {
        files = List.copyOf(files);
    }

    long rows() {
        return files.stream().mapToLong(file -> file.content().rows()).sum();
    }

    long bytes() {
        return files.stream().mapToLong(file -> file.content().bytes()).sum();
    }

    /** A file and the uploads that make it and its text index visible. */
    record LakeFile(WrittenFile content, PreparedUpload upload, PreparedUpload index) {
    }
}
