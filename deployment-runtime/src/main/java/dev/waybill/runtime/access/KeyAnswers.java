package dev.waybill.runtime.access;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;

/**
 * What the control plane said of keys, by their hash: whom each stands for, or that it is not known. Both are good for a short
 * while; whom a key stood for is kept for longer, for when the control plane does not answer at all.
 */
final class KeyAnswers {

    private final Clock clock;
    private final Duration fresh;
    private final Duration grace;
    private final Cache<String, Answer> answers;

    KeyAnswers(Clock clock, Duration fresh, Duration grace, int most) {
        this.clock = clock;
        this.fresh = fresh;
        this.grace = grace;
        this.answers = Caffeine.newBuilder().maximumSize(most).build();
    }

    void note(String hash, Optional<Holder> holder) {
        answers.put(hash, new Answer(holder, clock.instant()));
    }

    /** What was said so lately that it need not be asked again. */
    Optional<Answer> fresh(String hash) {
        return notOlder(hash, fresh);
    }

    /** Whom the key stood for when the control plane was last seen, if that is not too long ago. */
    Optional<Holder> last(String hash) {
        return notOlder(hash, grace).flatMap(Answer::holder);
    }

    private Optional<Answer> notOlder(String hash, Duration age) {
        Instant now = clock.instant();
        return Optional.ofNullable(answers.getIfPresent(hash))
                .filter(answer -> now.isBefore(answer.at().plus(age)))
                .map(answer -> answer.at(now));
    }

    record Answer(Optional<Holder> holder, Instant at) {

        /** The same answer, but for a key that has expired since. */
        private Answer at(Instant now) {
            return new Answer(holder.filter(known -> !known.isExpired(now)), at);
        }
    }
}
