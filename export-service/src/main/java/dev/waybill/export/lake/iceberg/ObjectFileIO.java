package dev.waybill.export.lake.iceberg;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.apache.iceberg.exceptions.RuntimeIOException;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.OutputFile;
import org.apache.iceberg.io.PositionOutputStream;
import org.apache.iceberg.io.SeekableInputStream;
import org.jspecify.annotations.Nullable;

import dev.waybill.export.storage.ObjectStore;
import dev.waybill.export.storage.ObjectStore.ObjectPage;
import io.smallrye.mutiny.Uni;

/**
 * Reads and writes the metadata of tables in the lake's bucket, each file completely in memory. Never deletes files with data.
 * Blocks.
 */
public final class ObjectFileIO implements FileIO {

    private static final long serialVersionUID = 1;
    /** A manifest has 8 MB; the metadata of a table with thousands of snapshots is smaller. */
    private static final int MAX_BYTES = 64 << 20;
    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final String METADATA = "/metadata/";

    private final transient ObjectStore store;
    private final String root;

    public ObjectFileIO(ObjectStore store, String bucket) {
        this.store = store;
        this.root = "s3://" + bucket + "/";
    }

    /** Returns the location of a key. */
    public String location(String key) {
        return root + key;
    }

    /** Returns the key of a location in the bucket. */
    public String key(String location) {
        if (!location.startsWith(root)) {
            throw new IllegalArgumentException("the location " + location + " is not in the bucket of the lake");
        }
        return location.substring(root.length());
    }

    /** Returns the keys that begin with {@code prefix}. */
    List<String> list(String prefix) {
        List<String> keys = new ArrayList<>();
        String token = null;
        do {
            ObjectPage page = await(store.list(prefix, token));
            page.objects().forEach(object -> keys.add(object.key()));
            token = page.nextToken();
        } while (token != null);
        return keys;
    }

    /** Returns the last {@code length} bytes of an object of this size. */
    byte[] readEnd(String key, long size, int length) {
        return await(store.getRange(key, size - length, length)).content();
    }

    @Override
    public InputFile newInputFile(String path) {
        return new ObjectInput(path);
    }

    @Override
    public OutputFile newOutputFile(String path) {
        return new ObjectOutput(path);
    }

    @Override
    public void deleteFile(String path) {
        if (!path.contains(METADATA)) {
            throw new IllegalArgumentException("the file " + path + " is not deleted by tables");
        }
        await(store.delete(key(path)));
    }

    private static <T> T await(Uni<T> uni) {
        return Waiting.await(uni, TIMEOUT);
    }

    /** An object that is read completely. */
    private final class ObjectInput implements InputFile {

        private final String location;
        private byte @Nullable [] content;

        private ObjectInput(String location) {
            this.location = location;
        }

        @Override
        public long getLength() {
            return content().length;
        }

        @Override
        public SeekableInputStream newStream() {
            return new MemoryInputStream(content());
        }

        @Override
        public String location() {
            return location;
        }

        @Override
        public boolean exists() {
            return await(store.head(key(location))).isPresent();
        }

        private byte[] content() {
            byte[] read = content;
            if (read == null) {
                read = await(store.get(key(location), MAX_BYTES));
                content = read;
            }
            return read;
        }
    }

    /** An object that is written when its stream is closed. */
    private final class ObjectOutput implements OutputFile {

        private final String location;

        private ObjectOutput(String location) {
            this.location = location;
        }

        // Names contain random ids, so no file exists.
        @Override
        public PositionOutputStream create() {
            return createOrOverwrite();
        }

        @Override
        public PositionOutputStream createOrOverwrite() {
            return new MemoryOutputStream(location);
        }

        @Override
        public String location() {
            return location;
        }

        @Override
        public InputFile toInputFile() {
            return newInputFile(location);
        }
    }

    /** Buffers an object until it is closed. */
    private final class MemoryOutputStream extends PositionOutputStream {

        private final String location;
        private final ByteArrayOutputStream buffer = new ByteArrayOutputStream();
        private boolean closed;

        private MemoryOutputStream(String location) {
            this.location = location;
        }

        @Override
        public long getPos() {
            return buffer.size();
        }

        @Override
        public void write(int value) {
            buffer.write(value);
            checkSize();
        }

        @Override
        public void write(byte[] bytes, int offset, int length) {
            buffer.write(bytes, offset, length);
            checkSize();
        }

        @Override
        public void close() {
            if (!closed) {
                closed = true;
                await(store.put(key(location), buffer.toByteArray(), "application/octet-stream"));
            }
        }

        private void checkSize() {
            if (buffer.size() > MAX_BYTES) {
                throw new RuntimeIOException("the file %s has more than %s bytes", location, MAX_BYTES);
            }
        }
    }

    /** Bytes in memory. */
    private static final class MemoryInputStream extends SeekableInputStream {

        private final byte[] content;
        private int position;

        private MemoryInputStream(byte[] content) {
            this.content = content;
        }

        @Override
        public long getPos() {
            return position;
        }

        @Override
        public void seek(long newPosition) throws IOException {
            if (newPosition < 0 || newPosition > content.length) {
                throw new IOException("position " + newPosition + " is outside of the file");
            }
            position = (int) newPosition;
        }

        @Override
        public int read() {
            return position == content.length ? -1 : content[position++] & 0xff;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) {
            int read = Math.min(length, content.length - position);
            if (read == 0 && length > 0) {
                return -1;
            }
            System.arraycopy(content, position, bytes, offset, read);
            position += read;
            return read;
        }

        @Override
        public int available() {
            return content.length - position;
        }
    }
}
