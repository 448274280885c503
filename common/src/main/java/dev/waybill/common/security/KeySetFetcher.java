package dev.waybill.common.security;

import java.io.IOException;
import java.time.Duration;
import java.util.function.LongSupplier;

import org.jose4j.http.Get;
import org.jose4j.http.SimpleGet;
import org.jose4j.http.SimpleResponse;

/**
 * Fetches an issuer's key set within seconds and fails fast for a short time after a failure: requests with unknown key ids
 * would otherwise queue for one timeout each.
 */
final class KeySetFetcher implements SimpleGet {

    private static final Duration TIMEOUT = Duration.ofSeconds(3);
    private static final Duration RETRY_DELAY = Duration.ofSeconds(2);

    private final SimpleGet http;
    private final LongSupplier nanoTime;
    private volatile long failedAt;
    private volatile boolean failed;

    KeySetFetcher() {
        this(http(), System::nanoTime);
    }

    KeySetFetcher(SimpleGet http, LongSupplier nanoTime) {
        this.http = http;
        this.nanoTime = nanoTime;
    }

    @Override
    public SimpleResponse get(String location) throws IOException {
        if (failed && nanoTime.getAsLong() - failedAt < RETRY_DELAY.toNanos()) {
            throw new IOException("The issuer's key set could not be fetched; the next attempt follows within seconds.");
        }
        try {
            SimpleResponse response = http.get(location);
            failed = false;
            return response;
        } catch (IOException e) {
            failedAt = nanoTime.getAsLong();
            failed = true;
            throw e;
        }
    }

    /** Returns whether the last attempt failed; an unknown key may then still exist at the issuer. */
    boolean hasFailed() {
        return failed;
    }

    private static SimpleGet http() {
        Get get = new Get();
        get.setConnectTimeout((int) TIMEOUT.toMillis());
        get.setReadTimeout((int) TIMEOUT.toMillis());
        get.setRetries(0);
        return get;
    }
}
