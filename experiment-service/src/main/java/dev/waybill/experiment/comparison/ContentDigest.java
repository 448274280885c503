package dev.waybill.experiment.comparison;

import java.util.Arrays;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.id.Digests;

/** Computes a digest of a list of values; different lists never have the same text. */
final class ContentDigest {

    private final StringBuilder content = new StringBuilder();

    /** Adds values after their lengths, so that no value can contain the next one. */
    ContentDigest add(@Nullable Object... values) {
        Arrays.stream(values).forEach(value -> {
            String text = String.valueOf(value);
            content.append(value == null ? "-" : text.length() + ":" + text);
        });
        return this;
    }

    String toHex() {
        return Digests.sha256Hex(content.toString());
    }
}
