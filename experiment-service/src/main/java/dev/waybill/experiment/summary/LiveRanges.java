package dev.waybill.experiment.summary;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import io.vertx.mutiny.sqlclient.Tuple;

/** Ranges of start times that summaries do not contain. */
final class LiveRanges {

    // Before and after all times that PostgreSQL accepts from clients.
    private static final Instant MIN = Instant.parse("-4000-01-01T00:00:00Z");
    private static final Instant MAX = Instant.parse("+200000-01-01T00:00:00Z");

    private final List<UUID> sessions = new ArrayList<>();
    private final List<OffsetDateTime> starts = new ArrayList<>();
    private final List<OffsetDateTime> ends = new ArrayList<>();

    /** Adds what the summaries of a session, in the order of time, leave of the range; null for no limit. */
    void addGaps(UUID session, Collection<PeriodSummary> summaries, @Nullable Instant from, @Nullable Instant to) {
        Instant start = from == null ? MIN : from;
        for (PeriodSummary summary : summaries) {
            add(session, start, summary.start());
            start = summary.end();
        }
        add(session, start, to == null ? MAX : to);
    }

    /** Adds a range unless it is empty. */
    void add(UUID session, Instant start, Instant end) {
        if (start.isBefore(end)) {
            sessions.add(session);
            starts.add(start.atOffset(ZoneOffset.UTC));
            ends.add(end.atOffset(ZoneOffset.UTC));
        }
    }

    /** Returns the ranges with these numbers, from 1. */
    LiveRanges select(List<Long> numbers) {
        LiveRanges selected = new LiveRanges();
        for (long number : numbers) {
            int index = (int) number - 1;
            selected.sessions.add(sessions.get(index));
            selected.starts.add(starts.get(index));
            selected.ends.add(ends.get(index));
        }
        return selected;
    }

    boolean isEmpty() {
        return sessions.isEmpty();
    }

    /** Adds the ranges to the parameters of a statement. */
    Tuple addTo(Tuple parameters) {
        return parameters
                .addArrayOfUUID(sessions.toArray(UUID[]::new))
                .addArrayOfOffsetDateTime(starts.toArray(OffsetDateTime[]::new))
                .addArrayOfOffsetDateTime(ends.toArray(OffsetDateTime[]::new));
    }
}
