package dev.waybill.export.parquet;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.waybill.export.trace.RowHandler;
import dev.waybill.export.trace.RunRow;

/**
 * Writes the runs of one partition to Parquet files (docs/architecture.md "Export"). Memory use does not depend on the number
 * of rows: one row group's compressed pages and one open page per column, mostly outside the Java heap.
 * <p>
 * For one thread, which also closes it.
 */
public final class ParquetRunWriter implements RowHandler, AutoCloseable {

    private final ExportSchema schema;
    private final ExportedSession session;
    private final FileSettings settings;
    private final FileSink sink;
    private final NativeMemory memory;
    private final PageCompressor compressor;
    private final List<WrittenFile> files = new ArrayList<>();
    private @Nullable ExportFileWriter file;
    private @Nullable RowGroup group;
    private final int firstIndex;
    private long encoded;

    /** Creates a writer of rows with the columns of {@link ExportSchema#sources()}. */
    public ParquetRunWriter(ExportSchema schema, ExportedSession session, FileSettings settings, FileSink sink) {
        this(schema, session, settings, sink, 0);
    }

    /** Creates a writer that continues after {@code firstIndex} files of an earlier attempt. */
    public ParquetRunWriter(ExportSchema schema, ExportedSession session, FileSettings settings, FileSink sink,
            int firstIndex) {
        this(schema, session, settings, sink, firstIndex, new NativeMemory());
    }

    ParquetRunWriter(ExportSchema schema, ExportedSession session, FileSettings settings, FileSink sink, int firstIndex,
            NativeMemory memory) {
        this.firstIndex = firstIndex;
        this.memory = memory;
        this.schema = schema;
        this.session = session;
        this.settings = settings;
        this.sink = sink;
        this.compressor = PageCompressor.of(settings.compression(), memory);
    }

    @Override
    public void row(RunRow row) throws IOException {
        ExportFileWriter into = openFile();
        RowGroup rows = openGroup();
        rows.add(row);
        into.addRow(row);
        encoded++;
        if (rows.isFull()) {
            endGroup(into, rows);
            if (into.isFull()) {
                endFile(into);
            }
        }
    }

    /**
     * Writes the remaining rows and returns all files; none without rows.
     *
     * @param rowsRead the number of rows read, which must equal the number of rows encoded and in the files
     * @throws RowCountMismatchException if the counts differ
     */
    public List<WrittenFile> finish(long rowsRead) throws IOException {
        if (file != null) {
            if (group != null) {
                endGroup(file, group);
            }
            endFile(file);
        }
        long inFooters = files.stream().mapToLong(WrittenFile::rows).sum();
        if (rowsRead != encoded || encoded != inFooters) {
            throw new RowCountMismatchException(rowsRead, encoded, inFooters);
        }
        return List.copyOf(files);
    }

    /** Returns the number of complete files. */
    public int completeFiles() {
        return files.size();
    }

    /** Returns the last complete file. */
    public WrittenFile lastFile() {
        return files.getLast();
    }

    /** Returns whether the last row group is incomplete. */
    public boolean hasOpenGroup() {
        return group != null;
    }

    private ExportFileWriter openFile() throws IOException {
        if (file == null) {
            int index = firstIndex + files.size();
            file = new ExportFileWriter(index, schema, settings, sink.open(index));
        }
        return file;
    }

    private RowGroup openGroup() {
        if (group == null) {
            group = new RowGroup(schema, session, compressor, memory, settings);
        }
        return group;
    }

    private void endGroup(ExportFileWriter into, RowGroup rows) throws IOException {
        into.write(rows);
        rows.close();
        group = null;
    }

    private void endFile(ExportFileWriter open) throws IOException {
        files.add(open.finish());
        file = null;
    }

    /** Releases the memory. An open file remains incomplete and its stream open. */
    @Override
    public void close() {
        compressor.release();
        memory.close();
    }

    /** The number of rows in the files differs from the number of rows read: the files must not become visible. */
    public static class RowCountMismatchException extends IOException {

        private static final long serialVersionUID = 1;

        RowCountMismatchException(long read, long encoded, long inFooters) {
            super("%s rows were read, %s were encoded, and the files' footers count %s".formatted(read, encoded, inFooters));
        }
    }
}
