package dev.waybill.local.storage;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Blocks the current thread; an interrupt becomes an {@link IllegalStateException}. */
public final class Wait {

    private Wait() {
    }

    public static void sleep(Duration time) {
        try {
            Thread.sleep(time);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    /** Polls until the condition holds; throws an exception with the message after the timeout. */
    public static void until(BooleanSupplier condition, Duration interval, Duration timeout, Supplier<String> message) {
        long deadline = System.nanoTime() + timeout.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException(message.get());
            }
            sleep(interval);
        }
    }
}
