package dev.waybill.experiment;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.zip.GZIPOutputStream;

import com.github.luben.zstd.Zstd;

/** Compresses request bodies. */
public final class Compression {

    private Compression() {
    }

    public static byte[] gzip(byte[] body) {
        ByteArrayOutputStream compressed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(compressed)) {
            gzip.write(body);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return compressed.toByteArray();
    }

    public static byte[] zstd(byte[] body) {
        return Zstd.compress(body);
    }
}
