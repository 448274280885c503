package dev.waybill.experiment.body;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A body that lies on disk, unpacked, in a file without a name: it is gone when it is closed or the process dies. What is read
 * from it is not kept in memory. Reading blocks.
 */
public final class SpooledBody implements AutoCloseable {

    private static final int WINDOW = 64 * 1024;

    private final FileChannel file;
    private final long length;
    private final DiskBudget budget;
    private final long reserved;

    SpooledBody(FileChannel file, long length, DiskBudget budget, long reserved) {
        this.file = file;
        this.length = length;
        this.budget = budget;
        this.reserved = reserved;
    }

    /** All of it from the beginning; any number of these may be open at once. */
    public InputStream open() {
        return new BufferedInputStream(new FromStart(), WINDOW);
    }

    /** The bytes from {@code from} (included) to {@code to} (excluded). */
    public Bytes slice(long from, long to) {
        byte[] bytes = new byte[Math.toIntExact(to - from)];
        try {
            ByteBuffer into = ByteBuffer.wrap(bytes);
            for (long at = from; into.hasRemaining();) {
                int count = file.read(into, at);
                if (count < 0) {
                    throw new IOException("a spooled body is shorter than it was");
                }
                at += count;
            }
            return new Bytes(bytes, 0, bytes.length);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The SHA-256 of it in hexadecimal digits. */
    public String sha256() {
        try (InputStream in = open()) {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            byte[] piece = new byte[WINDOW];
            for (int count = in.read(piece); count >= 0; count = in.read(piece)) {
                digest.update(piece, 0, count);
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** How many bytes it has. */
    public long length() {
        return length;
    }

    /** Gives the disk back. */
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

    private final class FromStart extends InputStream {

        private long at;

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] into, int offset, int count) throws IOException {
            int read = file.read(ByteBuffer.wrap(into, offset, count), at);
            at += Math.max(0, read);
            return read;
        }
    }
}
