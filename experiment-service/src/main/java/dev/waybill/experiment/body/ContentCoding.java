package dev.waybill.experiment.body;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import java.util.zip.GZIPInputStream;

import org.jspecify.annotations.Nullable;

import com.github.luben.zstd.ZstdInputStreamNoFinalizer;

import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.experiment.json.Bytes;

/** Content codings that request bodies may use ({@code Content-Encoding}). */
enum ContentCoding {
    IDENTITY {
        @Override
        InputStream open(InputStream compressed) {
            return compressed;
        }
    },
    GZIP {
        @Override
        InputStream open(InputStream compressed) throws IOException {
            return new GZIPInputStream(compressed, BUFFER_SIZE);
        }
    },
    ZSTD {
        @Override
        InputStream open(InputStream compressed) throws IOException {
            return new ZstdInputStreamNoFinalizer(compressed).setLongMax(MAX_WINDOW_LOG);
        }
    };

    private static final int BUFFER_SIZE = 64 * 1024;
    // 8 MiB, the window of the strongest usual level. The client chooses the window and so the memory that decompression
    // needs, so it is limited.
    private static final int MAX_WINDOW_LOG = 23;

    abstract InputStream open(InputStream compressed) throws IOException;

    static ContentCoding parse(@Nullable String header) {
        String name = header == null ? "" : header.strip().toLowerCase(Locale.ROOT);
        return switch (name) {
            case "", "identity" -> IDENTITY;
            case "gzip", "x-gzip" -> GZIP;
            case "zstd" -> ZSTD;
            default -> throw new ProblemException(CommonProblem.UNSUPPORTED_MEDIA_TYPE,
                    "The Content-Encoding is not supported; use gzip, zstd or none.");
        };
    }

    /** Decompresses {@code compressed} into {@code target}, which enforces the size limit. */
    void decompress(Body compressed, Body target) {
        Bytes content = compressed.content();
        byte[] buffer = new byte[BUFFER_SIZE];
        try (InputStream in = open(new ByteArrayInputStream(content.array(), 0, content.length()))) {
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                target.append(buffer, count);
            }
        } catch (IOException e) {
            throw new ProblemException(CommonProblem.MALFORMED_REQUEST,
                    "The request body does not match its Content-Encoding: it is not a complete "
                            + name().toLowerCase(Locale.ROOT)
                            + " stream.",
                    e);
        }
    }
}
