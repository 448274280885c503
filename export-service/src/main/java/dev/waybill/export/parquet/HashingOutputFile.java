package dev.waybill.export.parquet;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

import org.apache.parquet.io.OutputFile;
import org.apache.parquet.io.PositionOutputStream;

/**
 * Counts and hashes a file's bytes on their way to the sink. It does not close the sink when parquet-java closes it,
 * because parquet-java does so after failures too; and it holds the file's end back so that the footer can be looked at.
 */
final class HashingOutputFile extends PositionOutputStream implements OutputFile {

    private final OutputStream target;
    private final MessageDigest hash = sha256();
    private final ByteArrayOutputStream tail = new ByteArrayOutputStream();
    private boolean bufferingTail;
    private long written;

    HashingOutputFile(OutputStream target) {
        this.target = target;
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** Keeps what is written from now on, instead of passing it on. */
    void startTailBuffer() {
        bufferingTail = true;
    }

    byte[] tail() {
        return tail.toByteArray();
    }

    /** Writes the file's last bytes, in the place of those held back, and closes the sink. */
    void finish(byte[] end) throws IOException {
        bufferingTail = false;
        tail.reset();
        write(end);
        target.close();
    }

    String hash() {
        return HexFormat.of().formatHex(hash.digest());
    }

    @Override
    public long getPos() {
        return written + tail.size();
    }

    @Override
    public void write(int octet) throws IOException {
        write(new byte[] { (byte) octet });
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        if (bufferingTail) {
            tail.write(bytes, offset, length);
            return;
        }
        target.write(bytes, offset, length);
        hash.update(bytes, offset, length);
        written += length;
    }

    @Override
    public void close() {
        // the sink is closed by finish(), or by whoever opened it
    }

    @Override
    public PositionOutputStream create(long blockSizeHint) {
        return this;
    }

    @Override
    public PositionOutputStream createOrOverwrite(long blockSizeHint) {
        return this;
    }

    @Override
    public boolean supportsBlockSize() {
        return false;
    }

    @Override
    public long defaultBlockSize() {
        return 0;
    }
}
