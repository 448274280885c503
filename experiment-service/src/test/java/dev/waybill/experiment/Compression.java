package dev.waybill.experiment;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.zip.GZIPOutputStream;

import com.github.luben.zstd.Zstd;

/** Packs bodies as clients do. */
public final class Compression {

    private Compression() {
    }

    public static byte[] gzip(byte[] body) {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
            gzip.write(body);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return packed.toByteArray();
    }

    public static byte[] zstd(byte[] body) {
        return Zstd.compress(body);
    }
}
