package dev.waybill.export.storage;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

import dev.waybill.common.id.Digests;

/**
 * Uploads the written bytes in parts. The number of concurrent parts is bounded: {@code write} blocks while the store is slower
 * than the writer, so memory use stays constant. The object is not visible until {@link ObjectStore#complete} receives the
 * result of {@link #finishParts}. For one thread that may block. Failures of the store are {@link StorageException}s.
 */
public final class MultipartOutputStream extends OutputStream {

    private static final Logger LOG = Logger.getLogger(MultipartOutputStream.class);
    static final int SMALL_PART = 5 * 1024 * 1024;
    static final int LARGE_PART = 16 * 1024 * 1024;
    static final int MAX_PARTS = 10_000;
    private static final int SMALL_PARTS = 2_500;
    private static final int MAX_CONCURRENT_PARTS = 3;
    private static final long ABORT_TIMEOUT_SECONDS = 20;

    private final MultipartClient calls;
    private final String key;
    private final MessageDigest hash = Digests.newSha256();
    private final Semaphore permits = new Semaphore(MAX_CONCURRENT_PARTS);
    private final PartBuffers buffers = new PartBuffers();
    private final List<CompletableFuture<UploadedPart>> parts = new ArrayList<>();
    private volatile @Nullable Throwable failure;
    private @Nullable CompletableFuture<String> creation;
    private @Nullable String uploadId;
    private long size;
    private boolean closed;

    /** Creates a stream that uploads to {@code key} with these calls. */
    public MultipartOutputStream(MultipartClient calls, String key) {
        this.calls = calls;
        this.key = key;
    }

    /** Returns the object's key in its bucket. */
    public String key() {
        return key;
    }

    /** Returns the upload's id, or empty before the first part was sent. */
    public Optional<String> uploadId() {
        return Optional.ofNullable(uploadId);
    }

    /** Returns the number of bytes written so far. */
    public long size() {
        return size;
    }

    @Override
    public void write(int value) throws IOException {
        write(new byte[] { (byte) value }, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        requireOpen();
        hash.update(bytes, offset, length);
        size += length;
        int from = offset;
        int left = length;
        while (left > 0) {
            int partBytes = partSize(parts.size() + 1);
            int taken = buffers.fill(bytes, from, left, partBytes);
            from += taken;
            left -= taken;
            if (buffers.filled() == partBytes) {
                send();
            }
        }
    }

    /**
     * Sends the last part and waits until the store has acknowledged every part.
     *
     * @return the upload, ready for completion
     */
    public PreparedUpload finishParts() throws IOException {
        requireOpen();
        if (buffers.filled() > 0 || parts.isEmpty()) {
            send();
        }
        List<UploadedPart> uploaded = new ArrayList<>(parts.size());
        for (CompletableFuture<UploadedPart> part : parts) {
            uploaded.add(await(part));
        }
        closed = true;
        uploaded.sort(Comparator.comparingInt(UploadedPart::number));
        return new PreparedUpload(key, String.valueOf(uploadId), calls.token(uploaded), size,
                HexFormat.of().formatHex(hash.digest()));
    }

    /**
     * Aborts the upload. Blocks up to a timeout and never throws: a failure is logged, and the sweep removes the upload later.
     */
    public void abort() {
        if (closed) {
            return;
        }
        closed = true;
        CompletableFuture<String> started = creation;
        if (started == null || started.isCompletedExceptionally()) {
            return;
        }
        // Waits for the parts first: one that arrives after the abort would remain in the store.
        CompletableFuture<Void> aborted = CompletableFuture.allOf(parts.toArray(CompletableFuture[]::new))
                .handle((done, ignored) -> null)
                .thenCompose(ignored -> started)
                .thenCompose(id -> calls.abort(key, id));
        boolean interrupted = Thread.interrupted();
        try {
            aborted.get(ABORT_TIMEOUT_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            interrupted = true;
        } catch (ExecutionException | TimeoutException e) {
            Throwable cause = e instanceof ExecutionException && e.getCause() != null ? e.getCause() : e;
            LOG.warnf("an upload could not be aborted and remains in the bucket: key=%s upload_id=%s %s", key,
                    uploadId, StorageExceptionMapper.from(cause));
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Aborts the upload, unless its parts are finished. */
    @Override
    public void close() {
        abort();
    }

    // S3 allows at most 10,000 parts, and some stores require equal sizes except for the last part. The size therefore grows
    // only beyond the largest object of those stores.
    private static int partSize(int number) {
        return number <= SMALL_PARTS ? SMALL_PART : LARGE_PART;
    }

    private void send() throws IOException {
        int number = parts.size() + 1;
        if (number > MAX_PARTS) {
            throw new IOException("the object " + key + " requires more than " + MAX_PARTS + " parts");
        }
        acquirePermit();
        String id = startUpload();
        ByteBuffer content = buffers.detach();
        parts.add(calls.uploadPart(key, id, number, content)
                .whenComplete((part, problem) -> {
                    if (problem != null) {
                        failure = problem;
                    }
                    buffers.release(content);
                    permits.release();
                }));
    }

    private String startUpload() throws IOException {
        if (creation == null) {
            creation = calls.create(key)
                    .whenComplete((id, problem) -> failure = problem);
        }
        String id = await(creation);
        uploadId = id;
        return id;
    }

    private void acquirePermit() throws IOException {
        try {
            permits.acquire();
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
        requireOpen();
    }

    private static <T> T await(CompletableFuture<T> call) throws IOException {
        try {
            return call.get();
        } catch (InterruptedException e) {
            throw interrupted(e);
        } catch (ExecutionException e) {
            throw StorageExceptionMapper.from(e.getCause() == null ? e : e.getCause());
        }
    }

    private static IOException interrupted(InterruptedException cause) {
        Thread.currentThread().interrupt();
        IOException interrupted = new InterruptedIOException("the upload was interrupted");
        interrupted.initCause(cause);
        return interrupted;
    }

    private void requireOpen() throws IOException {
        Throwable problem = failure;
        if (problem != null) {
            throw StorageExceptionMapper.from(problem);
        }
        if (closed) {
            throw new IOException("the upload is closed");
        }
    }

    /**
     * The buffers of one upload. The first grows with the written bytes, so that small objects use little memory; buffers of
     * sent parts are reused.
     */
    private static final class PartBuffers {

        private static final int INITIAL_BYTES = 64 * 1024;

        private final ConcurrentLinkedQueue<byte[]> idle = new ConcurrentLinkedQueue<>();
        private byte[] current = new byte[INITIAL_BYTES];
        private int filled;

        int filled() {
            return filled;
        }

        /** Copies as many bytes as fit into a part of {@code partSize} bytes, and returns their number. */
        int fill(byte[] bytes, int offset, int length, int partSize) {
            int copied = Math.min(length, partSize - filled);
            ensureCapacity(filled + copied, partSize);
            System.arraycopy(bytes, offset, current, filled, copied);
            filled += copied;
            return copied;
        }

        /** Returns the current part; the caller owns its buffer until {@link #release}. */
        ByteBuffer detach() {
            ByteBuffer part = ByteBuffer.wrap(current, 0, filled);
            byte[] next = idle.poll();
            current = next == null ? new byte[0] : next;
            filled = 0;
            return part;
        }

        void release(ByteBuffer part) {
            idle.add(part.array());
        }

        private void ensureCapacity(int needed, int partSize) {
            if (needed > current.length) {
                int doubled = Math.max(INITIAL_BYTES, Math.max(needed, current.length * 2));
                current = Arrays.copyOf(current, Math.min(partSize, doubled));
            }
        }
    }
}
