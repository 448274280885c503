package dev.waybill.controlplane.engine.local;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

import dev.waybill.controlplane.engine.ApplicationSource.Commit;
import dev.waybill.controlplane.engine.Plan;

/** Takes a plan's secrets out of what its user is told: commands and applications print what they like. */
final class Redacted {

    private static final int SHORTEST = 4;

    private Redacted() {
    }

    static String text(String text, Plan plan) {
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
