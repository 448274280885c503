package dev.waybill.common.negotiation;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * The entity tags of {@code If-None-Match}, strong or weak, from any number of header lines, or {@code *} for any (RFC
 * 9110, 8.8.3.2 and 13.1.2). Malformed tags are ignored.
 */
public record IfNoneMatch(Set<String> tags, boolean any) {

    private static final Pattern TAG = Pattern.compile("\\G[\\s,]*(?:W/)?(\"[\\x21\\x23-\\x7e\\x80-\\xff]*\")\\s*(?=,|$)");

    /** Parses the values of all {@code If-None-Match} headers of a request. */
    public static IfNoneMatch parse(@Nullable List<String> lines) {
        String text = lines == null ? "" : String.join(",", lines).strip();
        Set<String> tags = new HashSet<>();
        Matcher tag = TAG.matcher(text);
        while (tag.find()) {
            tags.add(tag.group(1));
        }
        return new IfNoneMatch(tags, text.equals("*"));
    }

    /** Returns whether the request has no entity tag. */
    public boolean isEmpty() {
        return tags.isEmpty() && !any;
    }

    /** Returns whether the header names the entity tag, which is given in quotes and without {@code W/}. */
    public boolean contains(String tag) {
        return any || tags.contains(tag);
    }
}
