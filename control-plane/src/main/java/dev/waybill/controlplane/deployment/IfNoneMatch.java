package dev.waybill.controlplane.deployment;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * What {@code If-None-Match} says that a caller knows: tags of any number of lines, weak or not, or {@code *} for whatever
 * there
 * is (RFC 9110, 8.8.3.2 and 13.1.2). What is no tag is not believed.
 */
record IfNoneMatch(Set<String> tags, boolean any) {

    private static final Pattern TAG = Pattern.compile("\\G[\\s,]*(?:W/)?(\"[\\x21\\x23-\\x7e\\x80-\\xff]*\")\\s*(?=,|$)");

    static IfNoneMatch parse(@Nullable List<String> lines) {
        String text = lines == null ? "" : String.join(",", lines).strip();
        Set<String> tags = new HashSet<>();
        Matcher tag = TAG.matcher(text);
        while (tag.find()) {
            tags.add(tag.group(1));
        }
        return new IfNoneMatch(tags, text.equals("*"));
    }

    /** Whether the caller told none, and so waits for an end and not for a change. */
    boolean isEmpty() {
        return tags.isEmpty() && !any;
    }

    boolean contains(String tag) {
        return any || tags.contains(tag);
    }
}
