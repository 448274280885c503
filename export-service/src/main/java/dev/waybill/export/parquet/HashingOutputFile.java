package dev.waybill.export.parquet;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.security.MessageDigest;
import java.util.HexFormat;

import org.apache.parquet.io.OutputFile;
import org.apache.parquet.io.PositionOutputStream;

import dev.waybill.common.id.Digests;

/**
 * Counts and hashes a file's bytes on their way to the sink. Closing it does not close the sink, because parquet-java also
 * closes after failures. It can buffer the end of the file, so that the footer can be changed.
 */
final class HashingOutputFile extends PositionOutputStream implements OutputFile {

    private final OutputStream target;
    private final MessageDigest hash = Digests.newSha256();
    private final ByteArrayOutputStream tail = new ByteArrayOutputStream();
    private boolean bufferingTail;
    private long written;

    HashingOutputFile(OutputStream target) {
        this.target = target;
    }

    /** Buffers all further bytes instead of writing them to the sink. */
    void startTailBuffer() {
        bufferingTail = true;
    }

    byte[] tail() {
        return tail.toByteArray();
    }

    /** Writes the file's last bytes instead of the buffered ones, and closes the sink. */
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
        // finish() or the caller that opened the sink closes it.
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
