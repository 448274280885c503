package dev.waybill.controlplane.engine;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

import dev.waybill.controlplane.engine.RevisionSpec.ApplicationSource.Commit;

/**
 * Removes secrets from texts that users read, because commands and applications can print them: in plain form, URL-encoded and
 * in Base64. Secrets shorter than four characters are not removed; they would match ordinary words.
 */
public final class Redaction {

    /** Returns texts unchanged. */
    public static final Redaction NONE = new Redaction(List.of());

    private static final int MIN_LENGTH = 4;
    private static final String MARK = "***";

    private final List<String> forms;

    private Redaction(List<String> forms) {
        this.forms = forms;
    }

    /** Redacts the values of the plan's environment and its credential. */
    public static Redaction of(RevisionSpec plan) {
        Stream<String> credential = plan.source() instanceof Commit commit && commit.credential() != null
                ? Stream.of(commit.credential().secret())
                : Stream.empty();
        return of(Stream.concat(plan.environment().values().stream(), credential).toList());
    }

    /** Redacts the given secrets. */
    public static Redaction of(Collection<String> secrets) {
        // Longest first, because one secret can contain another. Multi-line secrets are also redacted line by line.
        return new Redaction(secrets.stream()
                .flatMap(secret -> Stream.concat(Stream.of(secret), secret.lines()))
                .flatMap(Redaction::forms)
                .filter(form -> form.length() >= MIN_LENGTH)
                .distinct()
                .sorted(Comparator.comparing(String::length).reversed())
                .toList());
    }

    /** Returns the text with every secret replaced. */
    public String apply(String text) {
        String redacted = text;
        for (String form : forms) {
            redacted = redacted.replace(form, MARK);
        }
        return redacted;
    }

    private static Stream<String> forms(String secret) {
        byte[] bytes = secret.getBytes(StandardCharsets.UTF_8);
        return secret.strip().length() < MIN_LENGTH ? Stream.of()
                : Stream.of(secret, secret.strip(), URLEncoder.encode(secret, StandardCharsets.UTF_8),
                        Base64.getEncoder().encodeToString(bytes), Base64.getEncoder().withoutPadding().encodeToString(bytes));
    }
}
