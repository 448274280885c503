package dev.waybill.controlplane.engine.local.proxy;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Counts the requests of the last minute, by second. */
final class RequestRate {

    private static final int SECONDS = 60;

    private final LongSupplier nanoTime;
    private final int[] counts = new int[SECONDS];
    private long newest;

    RequestRate(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.newest = second();
    }

    synchronized void count() {
        advance();
        counts[(int) Math.floorMod(newest, (long) SECONDS)]++;
    }

    synchronized long perMinute() {
        advance();
        long sum = 0;
        for (int count : counts) {
            sum += count;
        }
        return sum;
    }

    private void advance() {
        long now = second();
        for (long second = Math.max(newest + 1, now - SECONDS + 1); second <= now; second++) {
            counts[(int) Math.floorMod(second, (long) SECONDS)] = 0;
        }
        newest = now;
    }

    private long second() {
        return TimeUnit.NANOSECONDS.toSeconds(nanoTime.getAsLong());
    }
}
