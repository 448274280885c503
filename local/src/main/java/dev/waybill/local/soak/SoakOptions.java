package dev.waybill.local.soak;

import java.util.Arrays;
import java.util.Iterator;

/**
 * How long and with which chances.
 *
 * @param first number of the first iteration; an iteration is planned from the seed and its number alone
 */
record SoakOptions(int iterations, long seed, int first) {

    static final String USAGE = """
            usage: ./verify soak [--iterations N] [--seed S] [--first I]
              --iterations N  how many, 200 if not said
              --seed S        plans the same iterations again; by the clock if not said
              --first I       begins with that iteration of the seed""";

    static SoakOptions parse(String[] arguments) {
        SoakOptions options = new SoakOptions(200, System.nanoTime(), 0);
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
            case "--iterations" -> new SoakOptions(Integer.parseInt(value), seed, first);
            case "--seed" -> new SoakOptions(iterations, Long.parseLong(value), first);
            case "--first" -> new SoakOptions(iterations, seed, Integer.parseInt(value));
            default -> throw new IllegalArgumentException(USAGE);
        };
    }
}
