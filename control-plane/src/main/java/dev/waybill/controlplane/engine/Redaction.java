package dev.waybill.controlplane.engine;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

import com.fasterxml.jackson.core.io.JsonStringEncoder;

import dev.waybill.controlplane.engine.RevisionSpec.ApplicationSource.Commit;

/**
 * Removes secrets from texts that users read, because commands and applications can print them: in plain form, URL-encoded, in
 * Base64, and escaped as in JSON. Secrets shorter than four characters are not removed; they would match ordinary words.
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

    /**
     * Returns the text with every secret replaced, and also the beginning of a secret, of four characters or more, at its end.
     */
    public String applyToCut(String text) {
        String redacted = apply(text);
        int cut = forms.stream().mapToInt(form -> beginningAtTheEnd(redacted, form)).max().orElse(0);
        return cut < MIN_LENGTH ? redacted : redacted.substring(0, redacted.length() - cut) + MARK;
    }

    /** Returns the length of the longest end of the text that is a beginning of the form (Knuth, Morris and Pratt). */
    private static int beginningAtTheEnd(String text, String form) {
        int length = Math.min(form.length() - 1, text.length());
        int[] borders = new int[length];
        int matched = 0;
        for (int i = 1; i < length; i++) {
            matched = extend(borders, form, matched, form.charAt(i));
            borders[i] = matched;
        }
        matched = 0;
        for (int i = text.length() - length; i < text.length(); i++) {
            matched = extend(borders, form, matched, text.charAt(i));
        }
        return matched;
    }

    private static int extend(int[] borders, String form, int matched, char next) {
        int length = matched;
        while (length > 0 && form.charAt(length) != next) {
            length = borders[length - 1];
        }
        return form.charAt(length) == next ? length + 1 : length;
    }

    private static Stream<String> forms(String secret) {
        byte[] bytes = secret.getBytes(StandardCharsets.UTF_8);
        return secret.strip().length() < MIN_LENGTH ? Stream.of()
                : Stream.of(secret, secret.strip(), URLEncoder.encode(secret, StandardCharsets.UTF_8),
                        new String(JsonStringEncoder.getInstance().quoteAsString(secret)),
                        Base64.getEncoder().encodeToString(bytes), Base64.getEncoder().withoutPadding().encodeToString(bytes));
    }
}
