package dev.waybill.export.lake;

import java.io.IOException;
import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.lake.IndexFormat;
import dev.waybill.common.lake.TextIndexWriter;
import dev.waybill.export.storage.MultipartOutputStream;
import dev.waybill.export.storage.ObjectStore;
import dev.waybill.export.storage.PreparedUpload;
import dev.waybill.export.trace.RunColumn;
import dev.waybill.export.trace.RunRow;

/**
 * Uploads the text indexes of the files of a day while they are written; {@link #close} aborts an unfinished upload. A row is
 * added before the file contains it, because the last row of a file ends the file.
 */
final class DayIndexes implements AutoCloseable {

    private static final List<RunColumn> TEXTS = List.of(RunColumn.NAME, RunColumn.ERROR);
    private static final List<RunColumn> DOCUMENTS = List.of(RunColumn.INPUTS, RunColumn.OUTPUTS, RunColumn.METADATA);

    private final ObjectStore store;
    private final String prefix;
    private @Nullable OpenIndex open;
    private int finished;

    DayIndexes(ObjectStore store, String prefix) {
        this.store = store;
        this.prefix = prefix;
    }

    /** Adds the next row of the current file. */
    void add(RunRow row) throws IOException {
        TextIndexWriter index = open().writer();
        byte[] bytes = row.bytes();
        for (RunColumn text : TEXTS) {
            if (!row.isNull(text)) {
                index.addText(bytes, row.offset(text), row.length(text));
            }
        }
        for (RunColumn document : DOCUMENTS) {
            if (!row.isNull(document)) {
                index.addDocument(bytes, row.offset(document), row.length(document));
            }
        }
        if (!row.isNull(RunColumn.TAGS)) {
            row.elements(RunColumn.TAGS, (tags, offset, length) -> index.addText(tags, offset, Math.max(length, 0)));
        }
        index.endRow();
    }

    /** Ends a row group of the current file. */
    void endRowGroup() throws IOException {
        if (open != null) {
            open.writer().endBlock();
        }
    }

    /** Ends the index of the current file, which has {@code fileBytes}, and returns its upload. */
    PreparedUpload finish(long fileBytes) throws IOException {
        OpenIndex current = open();
        current.writer().finish(fileBytes);
        PreparedUpload upload = current.stream().finishParts();
        open = null;
        finished++;
        return upload;
    }

    private OpenIndex open() {
        OpenIndex current = open;
        if (current == null) {
            MultipartOutputStream stream = store.upload(IndexFormat.key(LakeBucket.key(prefix, finished)));
            current = new OpenIndex(stream, new TextIndexWriter(stream));
            open = current;
        }
        return current;
    }

    @Override
    public void close() {
        if (open != null) {
            open.stream().close();
        }
    }

    private record OpenIndex(MultipartOutputStream stream, TextIndexWriter writer) {
    }
}
