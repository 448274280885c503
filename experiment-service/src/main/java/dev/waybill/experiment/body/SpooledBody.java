package dev.waybill.experiment.body;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.security.MessageDigest;
import java.util.HexFormat;

import dev.waybill.common.id.Digests;
import dev.waybill.common.limit.MemoryBudget;

/**
 * A decompressed body in an unlinked temporary file, which is deleted when it is closed or the process ends. Reading blocks.
 */
public final class SpooledBody implements AutoCloseable {

    private static final int BUFFER_SIZE = 64 * 1024;

    private final FileChannel file;
    private final long length;
    private final MemoryBudget budget;
    private final long reserved;

    SpooledBody(FileChannel file, long length, MemoryBudget budget, long reserved) {
        this.file = file;
        this.length = length;
        this.budget = budget;
        this.reserved = reserved;
    }

    /** Opens a stream over the whole body; several may be open concurrently. */
    public InputStream open() {
        return new BufferedInputStream(new FileStream(), BUFFER_SIZE);
    }

    /** Returns the bytes from {@code from} (inclusive) to {@code to} (exclusive). */
    public Bytes slice(long from, long to) {
        byte[] bytes = new byte[Math.toIntExact(to - from)];
        try {
            ByteBuffer target = ByteBuffer.wrap(bytes);
            for (long position = from; target.hasRemaining();) {
                int count = file.read(target, position);
                if (count < 0) {
                    throw new IOException("the spooled body is truncated");
                }
                position += count;
            }
            return new Bytes(bytes, 0, bytes.length);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the SHA-256 of the content as hexadecimal digits. */
    public String sha256() {
        try (InputStream in = open()) {
            MessageDigest digest = Digests.newSha256();
            byte[] buffer = new byte[BUFFER_SIZE];
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                digest.update(buffer, 0, count);
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the number of bytes. */
    public long length() {
        return length;
    }

    /** Deletes the file and releases its disk space. */
    @Override
    public void close() {
        try {
            if (file.isOpen()) {
                file.close();
                budget.release(reserved);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private final class FileStream extends InputStream {

        private long position;

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] target, int offset, int count) throws IOException {
            int read = file.read(ByteBuffer.wrap(target, offset, count), position);
            position += Math.max(0, read);
            return read;
        }
    }
}
