package dev.waybill.soak;

import java.time.Duration;
import java.util.Arrays;
import java.util.Iterator;

/**
 * The command line options of {@code ./verify soak}.
 *
 * @param first the number of the first iteration; the seed and the number determine an iteration
 * @param streams the duration of the stream test; zero to run iterations
 * @param deployments the number of deployments of the deployment test; zero to run iterations
 * @param hostile the number of requests of the test with hostile requests; zero to run iterations
 */
record SoakOptions(int iterations, long seed, int first, Duration streams, int deployments, int hostile) {

    static final String USAGE = """
            usage: ./verify soak [--iterations N] [--seed S] [--first I]
                   ./verify soak --streams SECONDS
                   ./verify soak --deployments N
                   ./verify soak --hostile N
              --iterations N  number of iterations (default: 200)
              --seed S        repeats the iterations of an earlier run (default: from the clock)
              --first I       number of the first iteration
              --streams S     tests streams instead: 1,000 for S seconds, clients that disconnect, 10,000 idle streams
              --deployments N tests N deployments instead, each updated five times concurrently while receiving requests
              --hostile N     sends N requests without a key in a minute instead; checks other clients, metrics, heap, threads""";

    static SoakOptions parse(String[] arguments) {
        SoakOptions options = new SoakOptions(200, System.nanoTime(), 0, Duration.ZERO, 0, 0);
        Iterator<String> remaining = Arrays.asList(arguments).iterator();
        while (remaining.hasNext()) {
            options = options.with(remaining.next(), remaining);
        }
        return options;
    }

    private SoakOptions with(String option, Iterator<String> remaining) {
        if (!remaining.hasNext()) {
            throw new IllegalArgumentException(USAGE);
        }
        String value = remaining.next();
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
