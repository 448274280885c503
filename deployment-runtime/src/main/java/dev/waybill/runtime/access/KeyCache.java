package dev.waybill.runtime.access;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;

/**
 * Cache of verification results by the hash of the key, including unknown keys. Results expire after a short TTL; the
 * principals
 * of valid keys are retained for a longer grace period, for outages of the control plane.
 */
final class KeyCache {

    private final Clock clock;
    private final Duration ttl;
    private final Duration gracePeriod;
    private final Cache<String, Entry> entries;

    KeyCache(Clock clock, Duration ttl, Duration gracePeriod, int maxEntries) {
        this.clock = clock;
        this.ttl = ttl;
        this.gracePeriod = gracePeriod;
        this.entries = Caffeine.newBuilder().maximumSize(maxEntries).build();
    }

    void put(String hash, Optional<Principal> principal) {
        entries.put(hash, new Entry(principal, clock.instant()));
    }

    /** Returns the result if it is not older than the TTL. */
    Optional<Entry> get(String hash) {
        return getNewerThan(hash, ttl);
    }

    /** Returns the principal of the last verification if that is not older than the grace period. */
    Optional<Principal> getWithinGracePeriod(String hash) {
        return getNewerThan(hash, gracePeriod).flatMap(Entry::principal);
    }

    private Optional<Entry> getNewerThan(String hash, Duration age) {
        Instant now = clock.instant();
        return Optional.ofNullable(entries.getIfPresent(hash))
                .filter(entry -> now.isBefore(entry.at().plus(age)))
                .map(entry -> entry.withoutExpired(now));
    }

    record Entry(Optional<Principal> principal, Instant at) {

        /** Returns this entry, without the principal of a key that has expired. */
        private Entry withoutExpired(Instant now) {
            return new Entry(principal.filter(verified -> !verified.isExpired(now)), at);
        }
    }
}
