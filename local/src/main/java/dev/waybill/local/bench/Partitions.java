package dev.waybill.local.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.waybill.local.bench.Exports.Done;
import dev.waybill.local.bench.Exports.Order;
import dev.waybill.local.bench.Figure.Pair;
import dev.waybill.local.stack.ServiceKind;

/**
 * P5: the same rows in one day and cut into thirty-one, which are as many files and as many runs. Most of what a run does it
 * does
 * once, so it is measured when the JVM has compiled that, as in a service that has been up for a day.
 */
final class Partitions {

    private static final int DAYS = 31;
    private static final int FEW_ROWS = 50 * DAYS;
    private static final int WARM_UPS = 25;

    private final Bench bench;
    private final UUID inOneDay;
    private final UUID inManyDays;
    private final Exports exports;
    private final List<Pair> effort = new ArrayList<>();
    private final List<Pair> memory = new ArrayList<>();

    Partitions(Bench bench) {
        this.bench = bench;
        this.inOneDay = bench.wide().sessionId();
        bench.say("Spreading the rows over %d days ...", DAYS);
        this.inManyDays = bench.table().spread(inOneDay, "bench-days", DAYS);
        this.exports = new Exports(bench, "days");
    }

    List<Figure> measure() {
        // One at a time: it is the partitions that are compared, not how many of them are written at once.
        bench.restart(ServiceKind.EXPORT, Map.of("waybill.export.execution.concurrent-runs", "1"));
        warmUp();
        for (int round = 0; round <= bench.options.pairs(); round++) {
            CpuTime.forgetPeakMemory(service());
            Done one = exports.run(new Order(inOneDay, Day.start(), Day.end()));
            long oneMemory = CpuTime.peakMemory(service());
            CpuTime.forgetPeakMemory(service());
            Done many = exports.run(new Order(inManyDays, Day.start(), Day.start().plus(Duration.ofDays(DAYS))));
            long manyMemory = CpuTime.peakMemory(service());
            exports.forget();
            if (one.rows() != many.rows()) {
                throw new IllegalStateException(one.rows() + " rows in one day, " + many.rows() + " in many");
            }
            bench.say("%s one day %.2f, %d MiB, files of %,d; %d days %.2f, %d MiB, files of %,d", Bench.round(round),
                    one.effort().seconds(), oneMemory >> 20, one.bytes(), DAYS, many.effort().seconds(), manyMemory >> 20,
                    many.bytes());
            if (round > 0) {
                effort.add(new Pair(many.effort().seconds(), one.effort().seconds()));
                memory.add(new Pair(manyMemory, oneMemory));
            }
        }
        bench.table().remove(inManyDays);
        bench.restart(ServiceKind.EXPORT, Map.of());
        return List.of(
                Figure.ofPairs("P5", "the same rows in 31 days, CPU of a warm service over one day's", effort, Pair::ratio,
                        Goal.AT_MOST, 1.1),
                Figure.ofPairs("P5 RSS", "the same, peak resident memory of the service", memory, Pair::ratio, Goal.AT_MOST,
                        1.1));
    }

    private void warmUp() {
        UUID few = bench.table().add("bench-few", bench.generator(5), FEW_ROWS);
        UUID inDays = bench.table().spread(few, "bench-few-days", DAYS);
        for (int i = 0; i < WARM_UPS; i++) {
            exports.run(new Order(inDays, Day.start(), Day.start().plus(Duration.ofDays(DAYS))));
            exports.forget();
        }
        bench.table().remove(few);
        bench.table().remove(inDays);
    }

    private long service() {
        return bench.stack.service(ServiceKind.EXPORT).pid();
    }
}
