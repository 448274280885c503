package dev.waybill.controlplane.engine;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * Part of an application's output.
 *
 * @param leftOut number of selected lines before the first one that are not returned
 * @param removed number of lines that the engine has removed since the requested position, because the log is limited
 * @param next position after the last line that was read
 */
public record ServerLog(List<Line> lines, long leftOut, long removed, long next) {

    /** Returns a log without lines. */
    public static ServerLog empty(long next) {
        return new ServerLog(List.of(), 0, 0, next);
    }

    /**
     * Returns the lines of several processes in the order of their times, within the limit of the query.
     *
     * @param end position after all lines
     */
    public static ServerLog merge(List<ServerLog> logs, ServerLogQuery query, long end) {
        List<Line> all = logs.stream()
                .flatMap(log -> log.lines().stream())
                .sorted(Comparator.comparing(Line::at))
                .toList();
        if (query.prefersNewest()) {
            int excess = Math.max(0, all.size() - query.limit());
            return new ServerLog(all.subList(excess, all.size()), logs.stream().mapToLong(ServerLog::leftOut).sum() + excess, 0,
                    end);
        }
        // A log that was not read to the end has lines between this position and the newer lines of the others.
        long complete = logs.stream().mapToLong(ServerLog::next).min().orElse(end);
        List<Line> oldest = all.stream().filter(line -> line.next() <= complete).toList();
        int count = Math.min(oldest.size(), query.limit());
        // Lines with the same position cannot be divided.
        while (count > 0 && count < oldest.size() && oldest.get(count).next() == oldest.get(count - 1).next()) {
            count++;
        }
        return count < oldest.size()
                ? new ServerLog(oldest.subList(0, count), 0, 0, oldest.get(count - 1).next())
                : new ServerLog(oldest, 0, 0, complete);
    }

    /**
     * A line.
     *
     * @param instance distinguishes the processes of the application; null if there is only one
     * @param level null if unknown
     * @param next position after this line
     */
    public record Line(Instant at, @Nullable String instance, @Nullable LogLevel level, String text, long next) {
    }

    /**
     * Collects the lines that a query selects, in bounded memory. A line without a time has that of the line before; so has a
     * line without a level that continues the line before. Secrets are redacted before the text is searched.
     */
    public static final class Collector {

        private static final int MAX_CHARACTERS = 1 << 20;
        private static final int MAX_LENGTH = 4_000;
        private static final int MAX_PREFIX = 400;
        private static final Pattern TIME = Pattern.compile("(?:^\\[?|\"(?:timestamp|time|ts|@timestamp)\"\\s*:\\s*\")"
                + "(\\d{4}-\\d\\d-\\d\\d)[T ](\\d\\d:\\d\\d:\\d\\d)(?:[.,](\\d{1,9}))?(Z|[+-]\\d\\d:\\d\\d)?");
        private static final Pattern CONTINUATION = Pattern.compile("(?:\\s|Caused by:|Suppressed:|[)}\\]]).*");
        private static final Pattern COLORS = Pattern.compile("\\x1b\\[[0-9;?]*[A-Za-z]");
        private static final Pattern CUT = Pattern.compile("(?:\\x1b\\[?[0-9;?]*)?\\ufffd{0,3}$");
        private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}");

        private final ServerLogQuery query;
        private final String text;
        private final Redaction redaction;
        private final @Nullable String instance;
        private final Deque<Line> lines = new ArrayDeque<>();
        private Instant time;
        private @Nullable LogLevel level;
        private long characters;
        private long leftOut;

        /** @param beginning time of lines before the first one that has a time */
        public Collector(ServerLogQuery query, Redaction redaction, @Nullable String instance, Instant beginning) {
            this.query = query;
            this.text = query.text().toLowerCase(Locale.ROOT);
            this.redaction = redaction;
            this.instance = instance;
            this.time = beginning;
        }

        /**
         * Adds a line if the query selects it.
         *
         * @param at the line's time; null if only the line itself can contain it
         * @param isCut whether the end of the line is missing
         * @param next position after the line
         * @return whether further lines are needed
         */
        public boolean add(@Nullable Instant at, String raw, boolean isCut, long next) {
            String line = printable(raw, isCut);
            time = at != null ? at : time(line).orElse(time);
            Optional<LogLevel> named = LogLevel.find(line);
            if (named.isPresent() || !CONTINUATION.matcher(line).matches()) {
                level = named.orElse(null);
            }
            if (isSelected(line)) {
                lines.addLast(new Line(time, instance, level, line, next));
                characters += line.length();
            }
            while (query.prefersNewest() && isOverLimit()) {
                characters -= lines.removeFirst().text().length();
                leftOut++;
            }
            return query.prefersNewest() || lines.size() < query.limit() && characters < MAX_CHARACTERS;
        }

        private boolean isOverLimit() {
            return lines.size() > query.limit() || characters > MAX_CHARACTERS;
        }

        private boolean isSelected(String line) {
            LogLevel least = query.level();
            Instant since = query.since();
            return (least == null || level != null && level.compareTo(least) >= 0)
                    && (since == null || !time.isBefore(since))
                    && (text.isEmpty() || line.toLowerCase(Locale.ROOT).contains(text));
        }

        // The end of a cut line can be a part of a character, of a color or of a secret.
        private String printable(String raw, boolean isCut) {
            String text = COLORS.matcher(raw).replaceAll("");
            String redacted = isCut ? redaction.applyToCut(CUT.matcher(text).replaceAll("")) : redaction.apply(text);
            String line = CONTROL.matcher(redacted).replaceAll(" ").stripTrailing();
            return line.length() <= MAX_LENGTH ? line : line.substring(0, MAX_LENGTH) + "…";
        }

        private static Optional<Instant> time(String line) {
            Matcher found = TIME.matcher(line).region(0, Math.min(line.length(), MAX_PREFIX));
            if (!found.find()) {
                return Optional.empty();
            }
            String fraction = found.group(3) == null ? "" : "." + found.group(3);
            String zone = found.group(4) == null ? "Z" : found.group(4);
            try {
                return Optional.of(OffsetDateTime.parse(found.group(1) + "T" + found.group(2) + fraction + zone).toInstant());
            } catch (DateTimeException _) {
                return Optional.empty();
            }
        }

        /**
         * Returns the collected lines.
         *
         * @param removed number of lines that are no longer available
         * @param next position after the last line that was added
         */
        public ServerLog toLog(long removed, long next) {
            return new ServerLog(List.copyOf(lines), leftOut, removed, next);
        }
    }
}
