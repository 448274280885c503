package dev.waybill.local.soak;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.StringJoiner;

import dev.waybill.local.tour.ExportRequest;

/**
 * One export and what happens to it. Everything but the moments at which machines get round to things is planned from the
 * random numbers.
 */
final class Iteration {

    private static final LocalDate FIRST_DAY = LocalDate.of(2026, 3, 2);
    private static final List<String> VERSIONS = List.of("v1", "v2_beta");
    private static final List<String> COMPRESSIONS = List.of("none", "gzip", "snappy", "zstandard");
    private static final int MOST_MOMENT_MILLIS = 1800;

    private final SoakEnvironment ground;
    private final Random random;
    private final List<Turn> turns = new ArrayList<>();
    private final StringJoiner story = new StringJoiner(", ");

    Iteration(SoakEnvironment ground, Random random) {
        this.ground = ground;
        this.random = random;
    }

    /**
     * Orders an export, lets things go wrong while it is under way and go right again, and looks at what came of it.
     *
     * @return what happened, in a line
     */
    String run() {
        int days = 1 + random.nextInt(6);
        int rows = random.nextInt(1800 * days);
        Instant begin = FIRST_DAY.atStartOfDay(ZoneOffset.UTC).toInstant();
        Instant end = begin.plus(Duration.ofDays(days));
        SourceRows source = new SourceRows(ground.stack.superuserUrl(), ground.tenantId);
        source.insert(begin, end, rows, 1 + random.nextInt(60));
        Instant from = begin.plusSeconds(random.nextInt(20_000));
        Instant to = end.minusSeconds(random.nextInt(20_000));
        ExportRequest request = new ExportRequest(ground.destinationId, source.sessionId().toString(), from, to,
                VERSIONS.get(random.nextInt(VERSIONS.size())), COMPRESSIONS.get(random.nextInt(COMPRESSIONS.size())));
        story.add(rows + " rows").add(days + " days").add(request.formatVersion()).add(request.compression());
        planTrouble();
        try {
            String export = ground.ask(exporter -> exporter.start(request));
            happen();
            new ExportVerifier(ground, source).judge(export, from, to);
        } catch (RuntimeException e) {
            throw new IllegalStateException(story + ": " + e.getMessage(), e);
        }
        source.delete();
        return story.toString();
    }

    private void planTrouble() {
        int troubles = 1 + random.nextInt(2);
        List<Fault> chosen = new ArrayList<>();
        for (int i = 0; i < troubles; i++) {
            Fault disturbance = Fault.any(random);
            long at = random.nextInt(MOST_MOMENT_MILLIS);
            long lasts = disturbance.duration(random);
            Fault.Trouble trouble = disturbance.at(ground, random);
            // Two of a kind at once would undo each other.
            if (chosen.stream().noneMatch(disturbance::excludes)) {
                chosen.add(disturbance);
                turns.add(new Turn(at, trouble.strike()));
                turns.add(new Turn(at + lasts, trouble.heal()));
                story.add(disturbance + " at " + at + " ms for " + lasts);
            }
        }
        turns.sort(Comparator.comparingLong(Turn::atMillis));
    }

    private void happen() {
        long began = System.nanoTime();
        for (Turn turn : turns) {
            long wait = turn.atMillis() - Duration.ofNanos(System.nanoTime() - began).toMillis();
            if (wait > 0) {
                SoakEnvironment.pause(wait);
            }
            turn.action().run();
        }
    }

    private record Turn(long atMillis, Runnable action) {
    }
}
