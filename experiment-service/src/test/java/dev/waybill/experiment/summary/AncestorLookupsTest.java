package dev.waybill.experiment.summary;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import dev.waybill.experiment.summary.CountedUsage.CountedRun;
import dev.waybill.experiment.summary.PeriodSummary.Ancestor;
import dev.waybill.experiment.summary.PeriodSummary.RunKey;

class AncestorLookupsTest {

    private static final UUID TENANT = UUID.randomUUID();

    @Test
    void manyAncestorsOfASessionAreRemembered() {
        // Given
        AncestorLookups lookups = new AncestorLookups(10, 100);
        List<Ancestor> sought = ancestors(UUID.randomUUID(), 10);
        RunKey counted = sought.getFirst().key();

        // When
        List<Ancestor> unknown = lookups.addKnown(TENANT, summaries(), sought);
        lookups.remember(TENANT, summaries(), unknown,
                List.of(new CountedRun(counted, new OpenRun(counted.id(), Instant.EPOCH, new long[UsageTotals.VALUES]))));

        // Then
        ValidSummaries summaries = summaries();
        assertThat(unknown).isEqualTo(sought);
        assertThat(lookups.addKnown(TENANT, summaries, sought)).isEmpty();
        assertThat(summaries.openRuns()).containsOnlyKeys(counted);
        assertThat(lookups.addKnown(UUID.randomUUID(), summaries(), sought)).isEqualTo(sought);
    }

    @Test
    void fewAncestorsAreNotRemembered() {
        // Given
        AncestorLookups lookups = new AncestorLookups(10, 100);
        List<Ancestor> sought = ancestors(UUID.randomUUID(), 9);

        // When
        lookups.remember(TENANT, summaries(), sought, List.of());

        // Then
        assertThat(lookups.size()).isZero();
        assertThat(lookups.addKnown(TENANT, summaries(), sought)).isEqualTo(sought);
    }

    @Test
    void laterAncestorsAreAddedToThoseThatAreKnown() {
        // Given
        AncestorLookups lookups = new AncestorLookups(10, 100);
        List<Ancestor> sought = ancestors(UUID.randomUUID(), 30);

        // When
        lookups.remember(TENANT, summaries(), sought.subList(0, 10), List.of());
        lookups.remember(TENANT, summaries(), sought.subList(5, 20), List.of());

        // Then
        assertThat(lookups.size()).isEqualTo(20);
        assertThat(lookups.addKnown(TENANT, summaries(), sought)).isEqualTo(sought.subList(20, 30));
    }

    @Test
    void ancestorsOfTheLeastRecentlyUsedSessionAreForgotten() {
        // Given
        AncestorLookups lookups = new AncestorLookups(10, 25);
        List<List<Ancestor>> sessions = IntStream.range(0, 3).mapToObj(i -> ancestors(UUID.randomUUID(), 10)).toList();

        // When
        lookups.remember(TENANT, summaries(), sessions.get(0), List.of());
        lookups.remember(TENANT, summaries(), sessions.get(1), List.of());
        lookups.addKnown(TENANT, summaries(), sessions.get(0));
        lookups.remember(TENANT, summaries(), sessions.get(2), List.of());

        // Then
        assertThat(lookups.size()).isEqualTo(20);
        assertThat(lookups.addKnown(TENANT, summaries(), sessions.get(0))).isEmpty();
        assertThat(lookups.addKnown(TENANT, summaries(), sessions.get(1))).hasSize(10);
        assertThat(lookups.addKnown(TENANT, summaries(), sessions.get(2))).isEmpty();
    }

    private static ValidSummaries summaries() {
        return new ValidSummaries(List.of());
    }

    private static List<Ancestor> ancestors(UUID session, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> new Ancestor(new RunKey(session, UUID.randomUUID()), true, true))
                .toList();
    }
}
