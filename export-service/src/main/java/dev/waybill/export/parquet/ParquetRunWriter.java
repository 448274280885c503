package dev.waybill.export.parquet;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.waybill.export.trace.RowHandler;
import dev.waybill.export.trace.RunRow;

/**
 * Writes the runs of one partition into Parquet files (docs/architecture.md "Export"). What it holds in memory, nearly
 * all of it outside the heap, is one row group's compressed pages and an open page a column, however many rows come;
 * the rest has gone to the sink.
 * <p>
 * For one thread, which also closes it.
 */
public final class ParquetRunWriter implements RowHandler, AutoCloseable {

    private final ExportSchema schema;
    private final ExportedSession origin;
    private final FileSettings settings;
    private final FileSink sink;
    private final NativeMemory memory = new NativeMemory();
    private final PageCompressor compressor;
    private final List<WrittenFile> files = new ArrayList<>();
    private @Nullable ExportFileWriter file;
    private @Nullable RowGroup group;
    private final int firstIndex;
    private long encoded;

    /** A writer of rows with the columns that {@link ExportSchema#sources()} names. */
    public ParquetRunWriter(ExportSchema schema, ExportedSession origin, FileSettings settings, FileSink sink) {
        this(schema, origin, settings, sink, 0);
    }

    /** As above, for rows behind those of so many files that were written before. */
    public ParquetRunWriter(ExportSchema schema, ExportedSession origin, FileSettings settings, FileSink sink, int firstIndex) {
        this.firstIndex = firstIndex;
        this.schema = schema;
        this.origin = origin;
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
     * Writes what is left and answers all files, none when there were no rows.
     *
     * @param rowsRead how many rows the reader read: as many must have been encoded and be in the files
     * @throws RowCountMismatchException when the counts differ
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

    /** Returns how many files are whole so far. */
    public int completeFiles() {
        return files.size();
    }

    /** Returns the last file that is whole. */
    public WrittenFile lastFile() {
        return files.getLast();
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
            group = new RowGroup(schema, origin, compressor, memory, settings.rowGroupBytes());
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

    /** Gives the memory back. A file that is still open stays unfinished, and its stream open. */
    @Override
    public void close() {
        compressor.release();
        memory.close();
    }
}
