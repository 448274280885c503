package dev.waybill.local.bench;

import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;

import dev.waybill.local.bench.SampleRun.Step;

/**
 * Makes any number of runs of one day from real ones: the corpus again and again, each round with other ids and with its texts
 * retold, its traces spread evenly over the day. What lies between the runs of a trace stays as it was. The same arguments
 * make the same runs.
 */
final class RunGenerator {

    private static final long DAY = 86_400_000_000L;
    /** Kept free at the end of the day, so that no trace runs over midnight. */
    private static final long TAIL = 600_000_000L;

    private final Corpus corpus;
    private final LocalDate day;
    private final long seed;

    RunGenerator(Corpus corpus, LocalDate day, long seed) {
        this.corpus = corpus;
        this.day = day;
        this.seed = seed;
    }

    /** The day, in UTC, that all its runs are in. */
    LocalDate day() {
        return day;
    }

    /** Hands over so many runs, trace by trace. */
    void generate(int count, Consumer<GeneratedRun> consumer) {
        long midnight = day.atStartOfDay(ZoneOffset.UTC).toEpochSecond() * 1_000_000;
        long rounds = Math.ceilDiv(count, corpus.runs());
        long slot = (DAY - TAIL) / (rounds * corpus.traces().size());
        int made = 0;
        for (long place = 0; made < count; place++) {
            List<SampleRun> trace = corpus.traces().get((int) (place % corpus.traces().size()));
            long shift = midnight + place * slot - trace.getFirst().path().getFirst().start();
            long round = TextPerturber.mix(TextPerturber.mix(seed) + place / corpus.traces().size());
            TextPerturber retelling = new TextPerturber(round, corpus.vocabulary());
            for (SampleRun run : trace.subList(0, Math.min(trace.size(), count - made))) {
                consumer.accept(make(run, shift, round, retelling));
                made++;
            }
        }
    }

    private static GeneratedRun make(SampleRun run, long shift, long round, TextPerturber retelling) {
        List<Step> path = run.path().stream()
                .map(step -> new Step(step.start() + shift, otherId(step.id(), round)))
                .toList();
        return new GeneratedRun(run, path, run.start() + shift, run.end() + shift, retelling.apply(run.inputs()),
                retelling.apply(run.outputs()), retelling.apply(run.extra()));
    }

    private static UUID otherId(UUID id, long round) {
        long high = TextPerturber.mix(id.getMostSignificantBits() ^ round);
        long low = TextPerturber.mix(id.getLeastSignificantBits() + round);
        // Version 4, as an id without further meaning is marked.
        return new UUID((high & ~0xF000L) | 0x4000L, (low >>> 2) | Long.MIN_VALUE);
    }
}
