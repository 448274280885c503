package dev.waybill.bench;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.local.client.Json;

/**
 * Result of one benchmark, printed as one line.
 *
 * @param name short name
 * @param description the measured value
 * @param unit unit of the value; empty for a ratio
 * @param value median or percentile of the observations
 * @param low lowest observation
 * @param high highest observation
 * @param limit limit of the goal
 * @param observations all observations, for the result file
 */
public record BenchmarkResult(String name, String description, String unit, double value, double low, double high, Goal goal,
        double limit,
        ArrayNode observations) {

    /** Returns the median ratio of pairs. */
    public static BenchmarkResult ofPairs(String name, String description, List<Pair> pairs, ToDoubleFunction<Pair> ratio,
            Goal goal,
            double limit) {
        List<Double> ratios = pairs.stream().map(ratio::applyAsDouble).sorted().toList();
        ArrayNode observations = Json.object().putArray("pairs");
        pairs.forEach(pair -> observations.addObject().put("waybill", pair.waybill()).put("reference", pair.reference())
                .put("ratio", ratio.applyAsDouble(pair)));
        return new BenchmarkResult(name, description, "", percentile(ratios, 0.5), ratios.getFirst(), ratios.getLast(), goal,
                limit,
                observations);
    }

    /** Returns the given percentile of the values. */
    public static BenchmarkResult ofValues(String name, String description, String unit, List<Double> values, double percentile,
            Goal goal,
            double limit) {
        List<Double> sorted = values.stream().sorted(Comparator.naturalOrder()).toList();
        ArrayNode observations = Json.object().putArray("values");
        values.forEach(observations::add);
        return new BenchmarkResult(name, description, unit, percentile(sorted, percentile), sorted.getFirst(), sorted.getLast(),
                goal, limit,
                observations);
    }

    /** Returns a result for a benchmark that failed. */
    public static BenchmarkResult missing(String name, String reason) {
        return new BenchmarkResult(name, "could not be measured: " + reason, "", Double.NaN, Double.NaN, Double.NaN,
                Goal.AT_MOST, 0,
                Json.object().putArray("values"));
    }

    /** Returns a result for a benchmark that does not apply here. */
    public static BenchmarkResult notApplicable(String name, String reason) {
        return new BenchmarkResult(name, reason, "", Double.NaN, Double.NaN, Double.NaN, Goal.NONE, 0,
                Json.object().putArray("values"));
    }

    String line() {
        return String.format(Locale.ROOT, "%-8s %-86s %9.3f %-4s (%.3f .. %.3f)  %s", name, description, value, unit, low, high,
                goal.description(value, limit));
    }

    ObjectNode toJson() {
        ObjectNode json = Json.object().put("name", name).put("what", description).put("unit", unit).put("value", value)
                .put("low", low).put("high", high).put("goal", goal.description(value, limit));
        json.set("observations", observations);
        return json;
    }

    private static double percentile(List<Double> sorted, double percentile) {
        int middle = sorted.size() / 2;
        if (percentile == 0.5 && sorted.size() % 2 == 0) {
            return (sorted.get(middle - 1) + sorted.get(middle)) / 2;
        }
        return sorted.get((int) Math.ceil(percentile * sorted.size()) - 1);
    }

    /** Cost of the same work in Waybill and in the reference implementation, measured one after the other. */
    public record Pair(double waybill, double reference) {

        public double ratio() {
            return waybill / reference;
        }
    }
}
