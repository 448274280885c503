package dev.waybill.local.soak;

import java.time.Duration;
import java.util.Arrays;
import java.util.Iterator;

/**
 * How long and with which chances.
 *
 * @param first number of the first iteration; an iteration is planned from the seed and its number alone
 * @param streams for how long very many clients stream runs, instead of any iteration; zero for iterations
 * @param deployments how many are updated at once, instead of any iteration; zero for iterations
 * @param hostile how many hostile requests are sent in a minute, instead of any iteration; zero for iterations
 */
record SoakOptions(int iterations, long seed, int first, Duration streams, int deployments, int hostile) {

    static final String USAGE = """
            usage: ./verify soak [--iterations N] [--seed S] [--first I]
                   ./verify soak --streams SECONDS
                   ./verify soak --deployments N
                   ./verify soak --hostile N
              --iterations N  how many, 200 if not said
              --seed S        plans the same iterations again; by the clock if not said
              --first I       begins with that iteration of the seed
              --streams S     streams of the runtime instead: 1,000 at once for so long, clients that leave, 10,000 idle ones
              --deployments N so many deployments instead, each updated five times, all at once, under requests
              --hostile N     so many requests without a key in a minute instead: other callers, metrics, heaps and threads""";

    static SoakOptions parse(String[] arguments) {
        SoakOptions options = new SoakOptions(200, System.nanoTime(), 0, Duration.ZERO, 0, 0);
        Iterator<String> left = Arrays.asList(arguments).iterator();
        while (left.hasNext()) {
            options = options.with(left.next(), left);
        }
        return options;
    }

    private SoakOptions with(String option, Iterator<String> left) {
        if (!left.hasNext()) {
            throw new IllegalArgumentException(USAGE);
        }
        String value = left.next();
        return switch (option) {
            case "--iterations" -> new SoakOptions(Integer.parseInt(value), seed, first, streams, deployments, hostile);
            case "--seed" -> new SoakOptions(iterations, Long.parseLong(value), first, streams, deployments, hostile);
            case "--first" -> new SoakOptions(iterations, seed, Integer.parseInt(value), streams, deployments, hostile);
            case "--streams" -> new SoakOptions(iterations, seed, first, Duration.ofSeconds(Integer.parseInt(value)),
                    deployments, hostile);
            case "--deployments" -> new SoakOptions(iterations, seed, first, streams, Integer.parseInt(value), hostile);
            case "--hostile" -> new SoakOptions(iterations, seed, first, streams, deployments, Integer.parseInt(value));
            default -> throw new IllegalArgumentException(USAGE);
        };
    }
}
