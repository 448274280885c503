package dev.waybill.export.execution;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.waybill.export.parquet.FileSink;
import dev.waybill.export.parquet.WrittenFile;
import dev.waybill.export.run.Attempt;
import dev.waybill.export.run.ExportRunFile;
import dev.waybill.export.storage.MultipartOutputStream;
import dev.waybill.export.storage.ObjectStore;
import dev.waybill.export.storage.PreparedUpload;

/** Uploads the files of an attempt while they are written; {@link #close} aborts unfinished uploads. */
final class UploadingSink implements FileSink, AutoCloseable {

    private final ObjectStore store;
    private final Attempt attempt;
    private final AttemptProgress progress;
    private final List<MultipartOutputStream> streams = new ArrayList<>();
    private final Map<Integer, PreparedUpload> prepared = new HashMap<>();

    UploadingSink(ObjectStore store, Attempt attempt, AttemptProgress progress) {
        this.store = store;
        this.attempt = attempt;
        this.progress = progress;
    }

    @Override
    public OutputStream open(int index) {
        MultipartOutputStream stream = store.upload(attempt.layout().file(attempt.startTime(), index));
        streams.add(stream);
        return new UploadingFile(index, stream);
    }

    /**
     * Returns the files for the commit record.
     *
     * @throws IOException when the size or digest of an upload differs from the written file
     */
    List<ExportRunFile> files(List<WrittenFile> written) throws IOException {
        List<ExportRunFile> files = new ArrayList<>(written.size());
        for (WrittenFile file : written) {
            files.add(file(file));
        }
        return files;
    }

    /** Returns one file for a checkpoint or the commit record. */
    ExportRunFile file(WrittenFile file) throws IOException {
        PreparedUpload upload = prepared.get(file.index());
        if (upload == null || upload.size() != file.bytes() || !upload.sha256().equals(file.sha256())) {
            throw new IOException("the upload of file " + file.index() + " differs from the written file in size or SHA-256");
        }
        return new ExportRunFile(file.index(), upload, file.rows(), file.bytes(), file.sha256(), file.minStartTime(),
                file.maxStartTime(), file.truncatedRows());
    }

    @Override
    public void close() {
        streams.forEach(MultipartOutputStream::close);
    }

    /** A file being uploaded; {@link #close} uploads its last part and waits for all of them. */
    private final class UploadingFile extends OutputStream {

        private final int index;
        private final MultipartOutputStream stream;
        private boolean isUploadKnown;

        UploadingFile(int index, MultipartOutputStream stream) {
            this.index = index;
            this.stream = stream;
        }

        @Override
        public void write(int value) throws IOException {
            stream.write(value);
            progress.bytes(1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            stream.write(bytes, offset, length);
            progress.bytes(length);
            reportUpload();
        }

        @Override
        public void close() throws IOException {
            prepared.put(index, stream.finishParts());
            reportUpload();
        }

        private void reportUpload() {
            if (!isUploadKnown) {
                stream.uploadId().ifPresent(id -> {
                    progress.uploadStarted(id, stream.key());
                    isUploadKnown = true;
                });
            }
        }
    }
}
