package dev.waybill.common.testing;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Sends requests concurrently. */
public final class ConcurrentRequests {

    private static final long TIMEOUT_SECONDS = 120;

    private ConcurrentRequests() {
    }

    /** Sends the request {@code count} times and returns the first response; the other ones may be pending. */
    public static <T> T first(Executor clients, int count, Supplier<T> request) throws InterruptedException {
        BlockingQueue<T> responses = new LinkedBlockingQueue<>();
        for (int i = 0; i < count; i++) {
            clients.execute(() -> responses.add(request.get()));
        }
        T first = responses.poll(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        if (first == null) {
            throw new AssertionError("no response within " + TIMEOUT_SECONDS + " s");
        }
        return first;
    }
}
