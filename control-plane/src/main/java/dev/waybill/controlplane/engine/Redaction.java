package dev.waybill.controlplane.engine;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

import dev.waybill.controlplane.engine.ApplicationSource.Commit;

/**
 * Takes secrets out of texts that users read, for commands and applications print what they like: as they are, and as they look
 * in an address or in Base64. What is shorter than four characters is left, for it would take words apart and hide nothing.
 */
public final class Redaction {

    /** Hides nothing. */
    public static final Redaction NONE = new Redaction(List.of());

    private static final int SHORTEST = 4;
    private static final String MARK = "***";

    private final List<String> forms;

    private Redaction(List<String> forms) {
        this.forms = forms;
    }

    /** Hides the values of the plan's environment, and its credential. */
    public static Redaction of(Plan plan) {
        Stream<String> credential = plan.source() instanceof Commit commit && commit.credential() != null
                ? Stream.of(commit.credential().secret())
                : Stream.empty();
        return of(Stream.concat(plan.environment().values().stream(), credential).toList());
    }

    /** Hides these. */
    public static Redaction of(Collection<String> secrets) {
        // The longest first: one may be part of another. A secret of many lines appears line by line.
        return new Redaction(secrets.stream()
                .flatMap(secret -> Stream.concat(Stream.of(secret), secret.lines()))
                .flatMap(Redaction::forms)
                .filter(form -> form.length() >= SHORTEST)
                .distinct()
                .sorted(Comparator.comparing(String::length).reversed())
                .toList());
    }

    /** The text without them. */
    public String apply(String text) {
        String redacted = text;
        for (String form : forms) {
            redacted = redacted.replace(form, MARK);
        }
        return redacted;
    }

    private static Stream<String> forms(String secret) {
        byte[] bytes = secret.getBytes(StandardCharsets.UTF_8);
        return secret.strip().length() < SHORTEST ? Stream.of()
                : Stream.of(secret, secret.strip(), URLEncoder.encode(secret, StandardCharsets.UTF_8),
                        Base64.getEncoder().encodeToString(bytes), Base64.getEncoder().withoutPadding().encodeToString(bytes));
    }
}
