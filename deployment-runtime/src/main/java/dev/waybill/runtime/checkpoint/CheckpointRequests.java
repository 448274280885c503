package dev.waybill.runtime.checkpoint;

import java.time.Duration;
import java.util.UUID;

import dev.waybill.runtime.checkpoint.RequestHandler.InlineLimits;
import dev.waybill.runtime.protocol.MessageWriter.RequestLimits;
import dev.waybill.runtime.protocol.RequestReader;
import dev.waybill.runtime.worker.WorkerRequests;

/** Executes requests of all workers of the process, which share its memory. */
public final class CheckpointRequests implements WorkerRequests {

    private static final int PART_BYTES = 256 << 10;
    /** A part in base64 with the members of its message. */
    private static final int MIN_LINE_BYTES = 350 << 10;
    private static final int WINDOW_BYTES = 8 << 20;
    private static final int STATE_BYTES = 20 << 20;
    private static final long MEMORY_BYTES = 64L << 20;
    /** Requests use at most this fraction of the heap. */
    private static final int HEAP_FRACTION = 4;
    private static final Duration MEMORY_TIMEOUT = Duration.ofSeconds(30);
    /** JSON in a JSON string has at most twice its length. */
    private static final int MAX_GROWTH = 3;

    private final RequestHandler.Provider handlers;
    private final RequestLimits limits;
    private final RunExecutor.Shared shared;

    /**
     * @param maxLineSize maximum length of a line, as workers are sent it
     * @throws IllegalStateException if parts of values do not fit in a line
     */
    public CheckpointRequests(RequestHandler.Provider handlers, int maxLineSize) {
        this(handlers, requireParts(maxLineSize), new RequestLimits(PART_BYTES, WINDOW_BYTES, STATE_BYTES),
                new RequestMemory(Math.min(MEMORY_BYTES, Runtime.getRuntime().maxMemory() / HEAP_FRACTION), MEMORY_TIMEOUT));
    }

    CheckpointRequests(RequestHandler.Provider handlers, int maxLineSize, RequestLimits limits, RequestMemory memory) {
        this.handlers = handlers;
        this.limits = limits;
        this.shared = new RunExecutor.Shared(new RequestReader(maxLineSize), limits, memory,
                new InlineLimits(limits.partBytes(), maxLineSize / MAX_GROWTH), maxLineSize);
    }

    private static int requireParts(int maxLineSize) {
        if (maxLineSize < MIN_LINE_BYTES) {
            throw new IllegalStateException("waybill.runtime.worker.max-line-size must be at least 350K, because workers send"
                    + " and read large values of threads in parts of 256 KiB");
        }
        return maxLineSize;
    }

    @Override
    public RequestLimits limits() {
        return limits;
    }

    @Override
    public RunRequests open(UUID run, Connection worker) {
        return new RunExecutor(handlers.find(run).orElse(null), worker, shared);
    }
}
