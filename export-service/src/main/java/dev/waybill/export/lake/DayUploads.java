package dev.waybill.export.lake;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import dev.waybill.export.lake.CompactedDay.LakeFile;
import dev.waybill.export.parquet.FileSink;
import dev.waybill.export.parquet.WrittenFile;
import dev.waybill.export.storage.MultipartOutputStream;
import dev.waybill.export.storage.ObjectStore;
import dev.waybill.export.storage.PreparedUpload;

/** Uploads the files of a day while they are written; {@link #close} aborts unfinished uploads. */
final class DayUploads implements FileSink, AutoCloseable {

    private final ObjectStore store;
    private final String prefix;
    private final DayIndexes indexes;
    private final List<MultipartOutputStream> streams = new ArrayList<>();
    private final Map<Integer, PreparedUpload> prepared = new HashMap<>();
    private final Map<Integer, PreparedUpload> preparedIndexes = new HashMap<>();

    DayUploads(ObjectStore store, String prefix, DayIndexes indexes) {
        this.store = store;
        this.prefix = prefix;
        this.indexes = indexes;
    }

    @Override
    public OutputStream open(int index) {
        MultipartOutputStream stream = store.upload(LakeBucket.key(prefix, index));
        streams.add(stream);
        return new UploadedFile(index, stream);
    }

    /**
     * Returns the files with their uploads.
     *
     * @throws IOException when the size or digest of an upload differs from the written file
     */
    List<LakeFile> files(List<WrittenFile> written) throws IOException {
        List<LakeFile> files = new ArrayList<>(written.size());
        for (WrittenFile file : written) {
            PreparedUpload upload = prepared.get(file.index());
            if (upload == null || upload.size() != file.bytes() || !upload.sha256().equals(file.sha256())) {
                throw new IOException("the upload of file " + file.index() + " differs from the written file");
            }
            files.add(new LakeFile(file, upload, Objects.requireNonNull(preparedIndexes.get(file.index()))));
        }
        return files;
    }

    @Override
    public void close() {
        streams.forEach(MultipartOutputStream::close);
    }

    /** A file being uploaded; {@link #close} uploads its last part and waits for all of them. */
    private final class UploadedFile extends OutputStream {

        private final int index;
        private final MultipartOutputStream stream;

        private UploadedFile(int index, MultipartOutputStream stream) {
            this.index = index;
            this.stream = stream;
        }

        @Override
        public void write(int value) throws IOException {
            stream.write(value);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            stream.write(bytes, offset, length);
        }

        @Override
        public void close() throws IOException {
            PreparedUpload upload = stream.finishParts();
            prepared.put(index, upload);
            preparedIndexes.put(index, indexes.finish(upload.size()));
        }
    }
}
