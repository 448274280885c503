package dev.waybill.local.traces;

import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;

import dev.waybill.local.traces.SampleRun.Step;

/**
 * Generates any number of runs of one day from recorded traces: repeats the corpus with new ids and perturbed texts and
 * spreads the traces evenly over the day. Intervals within a trace do not change. Equal arguments generate equal runs.
 */
public final class RunGenerator {

    private static final long DAY = 86_400_000_000L;
    /** Unused time at the end of the day, so that no trace crosses midnight. */
    private static final long TAIL = 600_000_000L;

    private final Corpus corpus;
    private final LocalDate day;
    private final long seed;

    public RunGenerator(Corpus corpus, LocalDate day, long seed) {
        this.corpus = corpus;
        this.day = day;
        this.seed = seed;
    }

    /** Returns the UTC day of all generated runs. */
    public LocalDate day() {
        return day;
    }

    /** Passes {@code count} runs to the consumer, trace by trace. */
    public void generate(int count, Consumer<GeneratedRun> consumer) {
        long midnight = day.atStartOfDay(ZoneOffset.UTC).toEpochSecond() * 1_000_000;
        long rounds = Math.ceilDiv(count, corpus.runs());
        long slot = (DAY - TAIL) / (rounds * corpus.traces().size());
        int generated = 0;
        for (long index = 0; generated < count; index++) {
            List<SampleRun> trace = corpus.traces().get((int) (index % corpus.traces().size()));
            long shift = midnight + index * slot - trace.getFirst().path().getFirst().start();
            long round = TextPerturber.mix(TextPerturber.mix(seed) + index / corpus.traces().size());
            TextPerturber perturber = new TextPerturber(round, corpus.vocabulary());
            for (SampleRun run : trace.subList(0, Math.min(trace.size(), count - generated))) {
                consumer.accept(generateRun(run, shift, round, perturber));
                generated++;
            }
        }
    }

    private static GeneratedRun generateRun(SampleRun run, long shift, long round, TextPerturber perturber) {
        List<Step> path = run.path().stream()
                .map(step -> new Step(step.start() + shift, deriveId(step.id(), round)))
                .toList();
        return new GeneratedRun(run, path, run.start() + shift, run.end() + shift, perturber.apply(run.inputs()),
                perturber.apply(run.outputs()), perturber.apply(run.extra()));
    }

    private static UUID deriveId(UUID id, long round) {
        long high = TextPerturber.mix(id.getMostSignificantBits() ^ round);
        long low = TextPerturber.mix(id.getLeastSignificantBits() + round);
        // Sets the version bits of a random UUID.
        return new UUID((high & ~0xF000L) | 0x4000L, (low >>> 2) | Long.MIN_VALUE);
    }
}
