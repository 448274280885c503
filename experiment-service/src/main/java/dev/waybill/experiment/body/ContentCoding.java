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

/** How a body is packed on the wire ({@code Content-Encoding}). */
enum ContentCoding {
    IDENTITY {
        @Override
        InputStream open(InputStream packed) {
            return packed;
        }
    },
    GZIP {
        @Override
        InputStream open(InputStream packed) throws IOException {
            return new GZIPInputStream(packed, PIECE);
        }
    },
    ZSTD {
        @Override
        InputStream open(InputStream packed) throws IOException {
            return new ZstdInputStreamNoFinalizer(packed).setLongMax(LARGEST_WINDOW_LOG);
        }
    };

    private static final int PIECE = 64 * 1024;
    // 8 MiB, what the strongest usual level takes; the sender chooses how much memory unpacking needs, so it is bounded.
    private static final int LARGEST_WINDOW_LOG = 23;

    abstract InputStream open(InputStream packed) throws IOException;

    static ContentCoding parse(@Nullable String header) {
        String name = header == null ? "" : header.strip().toLowerCase(Locale.ROOT);
        return switch (name) {
            case "", "identity" -> IDENTITY;
            case "gzip", "x-gzip" -> GZIP;
            case "zstd" -> ZSTD;
            default -> throw new ProblemException(CommonProblem.UNSUPPORTED_MEDIA_TYPE,
                    "The Content-Encoding is not understood here; send gzip, zstd or none.");
        };
    }

    /** Unpacks {@code packed} into {@code into}, which refuses what is too much. */
    void unpack(BodyBuffer packed, BodyBuffer into) {
        byte[] piece = new byte[PIECE];
        try (InputStream in = open(new ByteArrayInputStream(packed.bytes(), 0, packed.length()))) {
            for (int count = in.read(piece); count >= 0; count = in.read(piece)) {
                into.append(piece, count);
            }
        } catch (IOException e) {
            throw new ProblemException(CommonProblem.MALFORMED_REQUEST,
                    "The body is not what its Content-Encoding says: it is no whole " + name().toLowerCase(Locale.ROOT)
                            + " stream.",
                    e);
        }
    }
}
