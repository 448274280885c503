package dev.waybill.runtime.cron;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.zone.ZoneOffsetTransition;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import com.cronutils.model.CronType;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;

import dev.waybill.common.time.Timestamps;
import dev.waybill.runtime.storage.CronStorage.CronSettings;

/**
 * Dates of a cron expression with five fields in a time zone.
 *
 * @param everyHour whether the expression has no hours, or only a step of them
 */
record CronSchedule(ExecutionTime times, ZoneId zone, boolean everyHour) {

    private static final CronParser PARSER = new CronParser(CronDefinitionBuilder.instanceDefinitionFor(CronType.UNIX));

    /** Returns the schedule; empty if the expression or the zone is invalid. */
    static Optional<CronSchedule> parse(String expression, @Nullable String zone) {
        Optional<ZoneId> parsed = parseZone(zone);
        if (expression.indexOf('|') >= 0) {
            // The parser would read several expressions.
            return Optional.empty();
        }
        try {
            ExecutionTime times = ExecutionTime.forCron(PARSER.parse(expression));
            boolean everyHour = expression.strip().split("\\s+")[1].startsWith("*");
            return parsed.map(known -> new CronSchedule(times, known, everyHour));
        } catch (RuntimeException e) {
            // The parser throws others than IllegalArgumentException, such as for "0-30/ * * * *".
            return Optional.empty();
        }
    }

    /** Returns a time zone; UTC for none, empty for an unknown one. */
    static Optional<ZoneId> parseZone(@Nullable String zone) {
        try {
            return Optional.of(zone == null ? ZoneOffset.UTC : ZoneId.of(zone));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    /** Returns a time of the years 1 to 9999; without an offset, as clients of Python send it, that of UTC. */
    static Optional<Instant> parseTime(String time) {
        try {
            return Optional.of(Timestamps.parse(time));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    /**
     * Returns the first date after a time; null if there is none. Dates that a change to summer time skips are one at the
     * moment
     * of the change, as users expect of a daily cron, unless the expression is for each hour.
     */
    @Nullable
    Instant nextAfter(Instant time) {
        Instant next = times.nextExecution(time.atZone(zone)).map(ZonedDateTime::toInstant).orElse(null);
        if (next == null || everyHour) {
            return next;
        }
        ZoneOffsetTransition change = zone.getRules().nextTransition(time);
        while (change != null && change.getInstant().isBefore(next)) {
            if (change.isGap() && hasDateIn(change)) {
                return change.getInstant();
            }
            change = zone.getRules().nextTransition(change.getInstant());
        }
        return next;
    }

    private boolean hasDateIn(ZoneOffsetTransition gap) {
        return times.nextExecution(gap.getDateTimeBefore().minusSeconds(1).atZone(ZoneOffset.UTC))
                .filter(date -> date.toLocalDateTime().isBefore(gap.getDateTimeAfter())).isPresent();
    }

    /** Returns the first date of enabled settings after a time; null if there is none before their end. */
    static @Nullable Instant nextAfter(CronSettings settings, Instant time) {
        if (!settings.enabled()) {
            return null;
        }
        Instant next = parse(settings.schedule(), settings.zone())
                .orElseThrow(() -> new IllegalStateException("a stored schedule is valid")).nextAfter(time);
        Instant end = settings.end();
        return next == null || end != null && next.isAfter(end) ? null : next;
    }
}
