package dev.waybill.export.preview;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import dev.waybill.export.parquet.ExportSchema;
import dev.waybill.export.parquet.ParquetRunWriter;
import dev.waybill.export.parquet.WrittenFile;
import dev.waybill.export.parquet.XxHash64;
import dev.waybill.export.trace.RunColumn;
import dev.waybill.export.trace.RunRow;

/** Collects the samples of all size classes. For one thread, which also closes it. */
final class SampleCollector implements AutoCloseable {

    private final Supplier<ParquetRunWriter> writers;
    private final Set<RunColumn> texts;
    private final Map<SizeClass, Sample> samples = new EnumMap<>(SizeClass.class);
    private int block;
    private long blockLimit;
    private long blockBytes;

    SampleCollector(ExportSchema schema, Supplier<ParquetRunWriter> writers) {
        this.writers = writers;
        this.texts = schema.sources().stream()
                .filter(column -> column.isLongText() && column != RunColumn.TAGS)
                .collect(Collectors.toSet());
    }

    /** Starts a block; it is full after {@code bytes} of text. */
    void startBlock(long bytes) {
        block++;
        blockLimit = bytes;
        blockBytes = 0;
        samples.values().forEach(sample -> sample.text.startBlock());
    }

    boolean isBlockFull() {
        return blockBytes >= blockLimit;
    }

    /** Adds a row of the block to the sample of its size class. */
    void add(RunRow row) throws IOException {
        long bytes = texts.stream().filter(column -> !row.isNull(column)).mapToLong(row::length).sum();
        blockBytes += bytes;
        // A row whose texts were replaced is not representative.
        if (!row.isTruncated()) {
            samples.computeIfAbsent(SizeClass.of(bytes), sizeClass -> new Sample(writers.get())).add(row);
        }
    }

    /** Returns the samples of the size classes that have rows. */
    List<SizeClassSample> finish() throws IOException {
        List<SizeClassSample> finished = new ArrayList<>();
        for (Map.Entry<SizeClass, Sample> sample : samples.entrySet()) {
            finished.add(sample.getValue().finish(sample.getKey()));
        }
        return finished;
    }

    @Override
    public void close() {
        samples.values().forEach(sample -> sample.writer.close());
    }

    /** The sample of one size class. */
    private final class Sample {

        private final ParquetRunWriter writer;
        private final RepetitionCounter text = new RepetitionCounter();
        private int lastBlock;
        private int blocks;
        private long rows;
        private long storedBytes;

        Sample(ParquetRunWriter writer) {
            this.writer = writer;
        }

        void add(RunRow row) throws IOException {
            writer.row(row);
            rows++;
            storedBytes += row.number(RunColumn.STORED_BYTES);
            texts.stream()
                    .filter(column -> !row.isNull(column))
                    .forEach(column -> text.add(row.bytes(), row.offset(column), row.length(column)));
            blocks += lastBlock == block ? 0 : 1;
            lastBlock = block;
        }

        SizeClassSample finish(SizeClass sizeClass) throws IOException {
            List<WrittenFile> files = writer.finish(rows);
            long texts = files.stream().mapToLong(WrittenFile::longTextBytes).sum();
            long others = files.stream().mapToLong(WrittenFile::otherBytes).sum();
            long all = files.stream().mapToLong(WrittenFile::bytes).sum();
            return new SizeClassSample(sizeClass, blocks, rows, storedBytes, texts, others, all - texts - others,
                    text.repetition());
        }
    }

    /**
     * Runs of one size class, sampled from the whole range and written like the export.
     *
     * @param blocks the number of blocks with runs of the class
     * @param storedBytes the size of their texts in PostgreSQL
     * @param textBytes the size of their long texts in the file
     * @param otherBytes the size of their other columns in the file
     * @param fileBytes the size of the rest of the file
     */
    record SizeClassSample(SizeClass sizeClass, int blocks, long rows, long storedBytes, long textBytes, long otherBytes,
            long fileBytes,
            RepetitionStats repetition) {
    }

    /**
     * Counts repeated texts in a sample of blocks that are far apart. A file stores a text once per row group, so a text that
     * repeats in a distant block indicates the total number of distinct texts.
     */
    static final class RepetitionCounter {

        private final Set<Long> seen = new HashSet<>();
        private final Set<Long> seenInBlock = new HashSet<>();
        private long bytes;
        private long bytesInBlocks;
        private long distinctBytes;
        private long values;
        private long repeats;

        void startBlock() {
            seenInBlock.clear();
        }

        void add(byte[] source, int offset, int length) {
            bytes += length;
            long hash = XxHash64.of(source, offset, length);
            if (!seenInBlock.add(hash)) {
                return;
            }
            bytesInBlocks += length;
            values++;
            if (seen.add(hash)) {
                distinctBytes += length;
            } else {
                repeats++;
            }
        }

        /** Returns the statistics. */
        RepetitionStats repetition() {
            return new RepetitionStats(bytes, bytesInBlocks, distinctBytes, values, repeats);
        }
    }
}
