package dev.waybill.experiment.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;

import org.junit.jupiter.api.Test;

import dev.waybill.common.event.Change;
import dev.waybill.common.event.ChangeType;
import dev.waybill.common.testing.SettableClock;
import dev.waybill.experiment.event.ChangeRepository.StoredChange;
import dev.waybill.experiment.event.EventSubscription.Changes;

class EventSubscriptionsTest {

    private static final UUID TENANT = new UUID(1, 1);
    private static final OffsetDateTime TIME = OffsetDateTime.of(2026, 11, 23, 22, 0, 0, 0, ZoneOffset.UTC);

    private static final Instant START = TIME.toInstant();

    private final SettableClock clock = new SettableClock(START);
    private final EventSubscriptions subscriptions = new EventSubscriptions(clock);

    @Test
    void everyWriteOfAChangeIsPublishedOnce() {
        // Given
        EventSubscription subscription = subscriptions.add(TENANT, START, List.of(stored(1, 0)));

        // When / Then
        assertThat(publish(subscription, stored(1, 0)).isEmpty()).isTrue();
        assertThat(publish(subscription, stored(1, 0), stored(2, 5)).changes()).containsExactly(change(2));
        assertThat(publish(subscription, stored(1, 9), stored(2, 5)).changes()).containsExactly(change(1));
        assertThat(publish(subscription).isEmpty()).isTrue();
        // Written by a transaction that committed late.
        assertThat(publish(subscription, stored(3, 2)).changes()).containsExactly(change(3));
    }

    @Test
    void longPauseBetweenPollsIsReported() {
        // Given
        EventSubscription subscription = subscriptions.add(TENANT, START, List.of());
        publish(subscription);

        // When
        clock.advance(Duration.ofSeconds(11));
        Changes afterPause = publish(subscription, stored(1, 3));
        clock.advance(Duration.ofSeconds(9));
        Changes later = publish(subscription, stored(1, 3));

        // Then
        assertThat(afterPause.mayHaveMissed()).isTrue();
        assertThat(later.isEmpty()).isTrue();
    }

    @Test
    void eachSubscriptionGetsTheChangesOfItsWorkspace() {
        // Given
        EventSubscription one = subscriptions.add(TENANT, START, List.of());
        EventSubscription two = subscriptions.add(TENANT, START, List.of());
        EventSubscription other = subscriptions.add(new UUID(1, 2), START, List.of());

        // When
        subscriptions.publish(subscriptions.tenantIds(), List.of(stored(1, 0)), clock.instant());
        subscriptions.remove(two);
        subscriptions.publish(subscriptions.tenantIds(), List.of(stored(1, 0), stored(2, 0)), clock.instant());

        // Then
        assertThat(next(one).changes()).containsExactly(change(1), change(2));
        assertThat(next(two).changes()).containsExactly(change(1));
        assertThat(next(other).isEmpty()).isTrue();
        subscriptions.remove(one);
        subscriptions.remove(other);
        assertThat(subscriptions.tenantIds()).isEmpty();
    }

    @Test
    void waitEndsWithTheFirstChange() {
        // Given
        EventSubscription subscription = subscriptions.add(TENANT, START, List.of());
        var waiting = subscription.next(Duration.ofMinutes(10)).subscribeAsCompletionStage();

        // When
        subscription.add(List.of(change(1)), clock.instant());

        // Then
        assertThat(waiting.join().changes()).containsExactly(change(1));
        subscription.resync();
        assertThat(next(subscription).mayHaveMissed()).isTrue();
    }

    @Test
    void streamCanEndWhileAChangeIsPublished() {
        // Given
        EventSubscription ending = subscriptions.add(TENANT, START, List.of());
        EventSubscription other = subscriptions.add(TENANT, START, List.of());
        var ended = ending.next(Duration.ofMinutes(10)).invoke(() -> subscriptions.remove(ending)).subscribeAsCompletionStage();

        // When
        subscriptions.publish(subscriptions.tenantIds(), List.of(stored(1, 0), stored(2, 0)), clock.instant());

        // Then
        assertThat(ended.join().changes()).containsExactly(change(1), change(2));
        assertThat(next(other).changes()).containsExactly(change(1), change(2));
    }

    @Test
    void positionIsThatOfTheLatestPoll() {
        // Given
        EventSubscription subscription = subscriptions.add(TENANT, START, List.of());

        // When
        Changes before = next(subscription);
        clock.advance(Duration.ofSeconds(1));
        Changes withoutChanges = publish(subscription);
        clock.advance(Duration.ofSeconds(1));
        Changes withChange = publish(subscription, stored(1, 1));

        // Then
        assertThat(before.position()).isEqualTo(START);
        assertThat(withoutChanges.position()).isEqualTo(START.plusSeconds(1));
        assertThat(withChange.position()).isEqualTo(START.plusSeconds(2));
    }

    private Changes publish(EventSubscription subscription, StoredChange... found) {
        subscriptions.publish(subscriptions.tenantIds(), List.of(found), clock.instant());
        return next(subscription);
    }

    private static Changes next(EventSubscription subscription) {
        return subscription.next(Duration.ofMillis(1)).await().indefinitely();
    }

    private static StoredChange stored(long id, int second) {
        return new StoredChange(change(id), TIME.plusSeconds(second));
    }

    private static Change change(long id) {
        return new Change(TENANT, ChangeType.RUNS, new UUID(0, id), new UUID(0, id), null, null);
    }
}
