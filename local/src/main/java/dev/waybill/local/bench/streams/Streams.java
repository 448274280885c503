package dev.waybill.local.bench.streams;

import java.util.List;

import dev.waybill.local.bench.Figure;
import dev.waybill.local.bench.Measure;

/** The measures of streams. */
public final class Streams {

    private static final List<Measure<StreamBench>> MEASURES = List.of(
            new Measure<>("S1", bench -> new CostOfRuns(bench).measure()),
            new Measure<>("S2", bench -> new AgainstDevServer(bench).measure()),
            new Measure<>("S3", bench -> new IdleStreams(bench).measure()),
            new Measure<>("S4", bench -> new SlowReader(bench).measure()));

    private Streams() {
    }

    public static List<Figure> measure(StreamBench bench) {
        return Measure.all(MEASURES, bench, bench.options(), bench.out());
    }
}
