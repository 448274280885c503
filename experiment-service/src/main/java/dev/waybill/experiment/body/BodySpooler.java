package dev.waybill.experiment.body;

import java.io.BufferedInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

import jakarta.inject.Singleton;
import jakarta.ws.rs.core.HttpHeaders;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.id.Digests;
import dev.waybill.common.limit.MemoryBudget;
import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.reactive.Blocking;
import dev.waybill.experiment.json.Bytes;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.quarkus.runtime.Startup;
import io.smallrye.mutiny.Uni;
import io.vertx.core.http.HttpServerRequest;

/**
 * Writes request bodies that are too large for memory to disk, decompressing them while they arrive. A slow client therefore
 * holds no memory. Too large a body is a 413, a body beyond the disk limit a 429.
 */
@Singleton
@Startup // registers its meters at start
public class BodySpooler {

    // Clients that send Expect: 100-continue wait for the interim response before they send the body.
    private static final String EXPECT_CONTINUE = "100-continue";
    private static final int BUFFER_SIZE = 64 * 1024;
    private static final int RESERVATION_STEP = 1 << 20;
    private static final Duration RETRY_AFTER = Duration.ofSeconds(2);

    private final Blocking blocking;
    private final MemoryBudget budget;
    private final long limit;

    BodySpooler(Blocking blocking, SpoolConfig config, MeterRegistry meters) {
        this.blocking = blocking;
        this.budget = new MemoryBudget(config.maxDisk().asLongValue());
        this.limit = config.maxBodySize().asLongValue();
        meters.gauge("waybill.upload.disk.used", budget, MemoryBudget::used);
    }

    /** Reads the request's body; the caller closes it. */
    public Uni<SpooledBody> read(HttpServerRequest request) {
        ContentCoding coding = ContentCoding.parse(request.getHeader(HttpHeaders.CONTENT_ENCODING));
        String contentLength = request.getHeader(HttpHeaders.CONTENT_LENGTH);
        RequestInputStream in = RequestInputStream.of(request);
        if (contentLength != null && contentLength.length() < 19 && Long.parseLong(contentLength) > limit) {
            in.discardRest(limit);
            return Uni.createFrom().failure(tooLarge("has"));
        }
        if (EXPECT_CONTINUE.equalsIgnoreCase(request.getHeader(HttpHeaderNames.EXPECT))) {
            request.response().writeContinue();
        }
        AtomicReference<@Nullable SpooledBody> spooled = new AtomicReference<>();
        return blocking
                .call(() -> {
                    SpooledBody body = spool(in, coding);
                    spooled.set(body);
                    return body;
                })
                .onFailure().invoke(() -> in.discardRest(limit))
                .onCancellation().invoke(() -> closeIfPresent(spooled.get()));
    }

    private static void closeIfPresent(@Nullable SpooledBody body) {
        if (body != null) {
            body.close();
        }
    }

    private SpooledBody spool(InputStream in, ContentCoding coding) {
        FileChannel file = createFile();
        SpoolProgress progress = new SpoolProgress();
        try (InputStream decompressed = coding.open(new LimitedInputStream(in, limit, () -> tooLarge("has")))) {
            byte[] buffer = new byte[BUFFER_SIZE];
            for (int count = decompressed.read(buffer); count >= 0; count = decompressed.read(buffer)) {
                progress.add(count);
                write(file, ByteBuffer.wrap(buffer, 0, count));
            }
            return new SpooledBody(file, progress.bytes, budget, progress.reserved);
        } catch (IOException e) {
            progress.abort(file);
            throw new ProblemException(CommonProblem.MALFORMED_REQUEST, coding == ContentCoding.IDENTITY
                    ? "The request body is incomplete."
                    : "The request body does not match its Content-Encoding or is incomplete.", e);
        } catch (RuntimeException e) {
            progress.abort(file);
            throw e;
        }
    }

    private static void write(FileChannel file, ByteBuffer buffer) {
        try {
            while (buffer.hasRemaining()) {
                file.write(buffer);
            }
        } catch (IOException e) {
            throw storageFailure(e);
        }
    }

    private static ProblemException storageFailure(IOException cause) {
        return new ProblemException(CommonProblem.UNAVAILABLE,
                "The service cannot store the request body at the moment; retry later.", cause).retryAfter(RETRY_AFTER);
    }

    // The file is unlinked when it is opened, so a killed process leaves no file.
    private static FileChannel createFile() {
        try {
            return FileChannel.open(Path.of(System.getProperty("java.io.tmpdir"), "waybill-upload-" + UUID.randomUUID()),
                    Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE,
                            StandardOpenOption.DELETE_ON_CLOSE),
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        } catch (IOException e) {
            throw storageFailure(e);
        }
    }

    private ProblemException tooLarge(String verb) {
        return new ProblemException(CommonProblem.TOO_LARGE, "The body " + verb + " more than the " + limit
                + " bytes allowed for uploads; upload fewer rows per request.")
                .with("limit_bytes", limit);
    }

    /** Counts the bytes written for one body and reserves disk space for them. */
    private final class SpoolProgress {

        private long bytes;
        private long reserved;

        void add(int count) {
            bytes += count;
            if (bytes > limit) {
                throw tooLarge("decompresses to");
            }
            if (bytes > reserved) {
                if (!budget.tryReserve(RESERVATION_STEP)) {
                    throw new ProblemException(CommonProblem.TOO_MANY_REQUESTS,
                            "The uploads in progress use all disk space that is reserved for them; retry after the"
                                    + " time in Retry-After.")
                            .retryAfter(RETRY_AFTER);
                }
                reserved += RESERVATION_STEP;
            }
        }

        void abort(FileChannel file) {
            budget.release(reserved);
            try {
                file.close();
            } catch (IOException e) {
                throw new ProblemException(CommonProblem.INTERNAL,
                        "The temporary file of the request body could not be closed.", e);
            }
        }
    }

    /** Throws after more than a number of bytes. */
    static final class LimitedInputStream extends FilterInputStream {

        private final Supplier<ProblemException> tooLarge;
        private long remaining;

        LimitedInputStream(InputStream in, long limit, Supplier<ProblemException> tooLarge) {
            super(in);
            this.remaining = limit;
            this.tooLarge = tooLarge;
        }

        @Override
        public int read() throws IOException {
            int count = super.read();
            count(count < 0 ? 0 : 1);
            return count;
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
            int count = super.read(target, offset, length);
            count(Math.max(0, count));
            return count;
        }

        private void count(int bytes) {
            remaining -= bytes;
            if (remaining < 0) {
                throw tooLarge.get();
            }
        }
    }

    /**
     * A decompressed body in an unlinked temporary file, which is deleted when it is closed or the process ends. Reading
     * blocks.
     */
    public static final class SpooledBody implements AutoCloseable {

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
}
