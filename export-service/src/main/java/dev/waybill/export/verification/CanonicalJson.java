package dev.waybill.export.verification;

import java.util.SortedMap;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/** Writes an object of texts, integers and booleans as canonical JSON (RFC 8785). */
final class CanonicalJson {

    private CanonicalJson() {
    }

    static String write(SortedMap<String, @Nullable Object> members) {
        return members.entrySet().stream()
                .map(member -> quote(member.getKey()) + ":" + value(member.getValue()))
                .collect(Collectors.joining(",", "{", "}"));
    }

    private static String value(@Nullable Object value) {
        return value instanceof String text ? quote(text) : String.valueOf(value);
    }

    private static String quote(String text) {
        StringBuilder quoted = new StringBuilder(text.length() + 2).append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"' -> quoted.append("\\\"");
                case '\\' -> quoted.append("\\\\");
                case '\b' -> quoted.append("\\b");
                case '\t' -> quoted.append("\\t");
                case '\n' -> quoted.append("\\n");
                case '\f' -> quoted.append("\\f");
                case '\r' -> quoted.append("\\r");
                default -> quoted.append(c < ' ' ? "\\u%04x".formatted((int) c) : c);
            }
        }
        return quoted.append('"').toString();
    }
}
