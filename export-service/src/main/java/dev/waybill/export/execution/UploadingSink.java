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
import dev.waybill.export.run.RunFile;
import dev.waybill.export.storage.MultipartOutputStream;
import dev.waybill.export.storage.ObjectStore;
import dev.waybill.export.storage.PreparedUpload;

/** Sends an attempt's files to the store while they are written; what is not finished when it is closed is aborted. */
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
     * The commit record's files.
     *
     * @throws IOException when the writer and the uploads do not agree on what was written
     */
    List<RunFile> files(List<WrittenFile> written) throws IOException {
        List<RunFile> files = new ArrayList<>(written.size());
        for (WrittenFile file : written) {
            files.add(file(file));
        }
        return files;
    }

    /** As above, of one file. */
    RunFile file(WrittenFile file) throws IOException {
        PreparedUpload upload = prepared.get(file.index());
        if (upload == null || upload.size() != file.bytes() || !upload.sha256().equals(file.sha256())) {
            throw new IOException("file " + file.index() + " was uploaded otherwise than written");
        }
        return new RunFile(file.index(), upload, file.rows(), file.bytes(), file.sha256(), file.minStartTime(),
                file.maxStartTime(), file.truncatedRows());
    }

    @Override
    public void close() {
        streams.forEach(MultipartOutputStream::close);
    }

    /** Closed by the writer when the file is whole: then all of its parts must get there. */
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
            noteUpload();
        }

        @Override
        public void close() throws IOException {
            prepared.put(index, stream.finishParts());
            noteUpload();
        }

        private void noteUpload() {
            if (!isUploadKnown) {
                stream.uploadId().ifPresent(id -> {
                    progress.uploadStarted(id, stream.key());
                    isUploadKnown = true;
                });
            }
        }
    }
}
