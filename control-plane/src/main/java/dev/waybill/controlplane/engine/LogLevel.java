package dev.waybill.controlplane.engine;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The severity of a line of an application's output, in increasing order. */
public enum LogLevel {
    TRACE,
    DEBUG,
    INFO,
    WARN,
    ERROR;

    private static final int MAX_PREFIX = 400;
    private static final Pattern MEMBER = Pattern.compile(
            "(?:\"(?:level|severity|levelname|loglevel|log\\.level)\"\\s*:\\s*\"|\\blevel=\"?)([A-Za-z]{3,8})");
    private static final Pattern WORD = Pattern.compile("\\b(TRACE|DEBUG|INFO|WARN|WARNING|ERROR|SEVERE|CRITICAL|FATAL)\\b");
    private static final int MAX_WORD_PREFIX = 100;

    /** Returns the level with this name, in any letter case; empty for other names. */
    public static Optional<LogLevel> of(String name) {
        return switch (name.toUpperCase(Locale.ROOT)) {
            case "TRACE" -> Optional.of(TRACE);
            case "DEBUG" -> Optional.of(DEBUG);
            case "INFO" -> Optional.of(INFO);
            case "WARN", "WARNING" -> Optional.of(WARN);
            case "ERROR", "SEVERE", "CRITICAL", "FATAL" -> Optional.of(ERROR);
            default -> Optional.empty();
        };
    }

    /** Returns the level that the line names: in a member of JSON, as {@code level=}, or as a word near its beginning. */
    static Optional<LogLevel> find(String line) {
        Matcher member = MEMBER.matcher(line).region(0, Math.min(line.length(), MAX_PREFIX));
        if (member.find()) {
            return of(member.group(1));
        }
        Matcher word = WORD.matcher(line).region(0, Math.min(line.length(), MAX_WORD_PREFIX));
        return word.find() ? of(word.group(1)) : Optional.empty();
    }

    /** Returns the name as in the API. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
