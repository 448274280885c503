package dev.waybill.controlplane.engine;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

import dev.waybill.controlplane.engine.ApplicationSource.Commit;

/** Takes a plan's secrets out of what its user is told: commands and applications print what they like. */
public final class Redacted {

    private static final int SHORTEST = 4;

    private Redacted() {
    }

    /** The text without the values of the plan's environment and without its credential. */
    public static String text(String text, Plan plan) {
        Stream<String> credential = plan.source() instanceof Commit commit && commit.credential() != null
                ? Stream.of(commit.credential().secret())
                : Stream.empty();
        List<String> secrets = Stream.concat(plan.environment().values().stream(), credential)
                .filter(secret -> secret.length() >= SHORTEST)
                .sorted(Comparator.comparingInt(String::length).reversed())
                .toList();
        String redacted = text;
        for (String secret : secrets) {
            redacted = redacted.replace(secret, "[redacted]");
        }
        return redacted;
    }
}
