package dev.waybill.runtime.cron;

import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.common.json.BodyValidator;
import dev.waybill.common.problem.Violation;

/** Rules of the schedule, time zone and end of a cron, and of the members of its runs. */
final class CronValidators {

    private CronValidators() {
    }

    private static void check(@Nullable String schedule, @Nullable String zone, Clock clock, List<Violation> violations) {
        if (CronSchedule.parseZone(zone).isEmpty()) {
            violations.add(Violation.of("timezone", "must be a time zone such as Europe/Berlin", "invalid"));
        }
        if (schedule != null && !schedule.isBlank()) {
            Optional<CronSchedule> parsed = CronSchedule.parse(schedule, null);
            if (parsed.isEmpty()) {
                violations.add(Violation.of("schedule",
                        "must have five fields: minute, hour, day of the month, month, day of the week", "invalid"));
            } else if (!hasDate(parsed.get(), clock)) {
                violations.add(Violation.of("schedule", "must have a date in the future", "invalid"));
            }
        }
    }

    private static boolean hasDate(CronSchedule schedule, Clock clock) {
        try {
            return schedule.nextAfter(clock.instant()) != null;
        } catch (RuntimeException e) {
            // The parser accepts expressions whose dates cannot be computed.
            return false;
        }
    }

    private static void checkEnd(boolean valid, List<Violation> violations) {
        if (!valid) {
            violations.add(Violation.of("end_time", "must be a time such as 2030-01-01T00:00:00Z", "invalid"));
        }
    }

    /** Validates a new cron. */
    @Singleton
    static class ForCreation implements BodyValidator<CreateCronRequest> {

        private final Clock clock;

        ForCreation(Clock clock) {
            this.clock = clock;
        }

        @Override
        public Class<CreateCronRequest> type() {
            return CreateCronRequest.class;
        }

        @Override
        public List<Violation> violations(CreateCronRequest body, Set<String> invalid) {
            List<Violation> violations = new ArrayList<>(body.toRun().violations());
            check(body.schedule(), body.timezone(), clock, violations);
            checkEnd(body.endTime() == null || CronSchedule.parseTime(body.endTime()).isPresent(), violations);
            return violations;
        }
    }

    /** Validates changes of a cron. */
    @Singleton
    static class ForUpdate implements BodyValidator<UpdateCronRequest> {

        private final Clock clock;

        ForUpdate(Clock clock) {
            this.clock = clock;
        }

        @Override
        public Class<UpdateCronRequest> type() {
            return UpdateCronRequest.class;
        }

        @Override
        public List<Violation> violations(UpdateCronRequest body, Set<String> invalid) {
            List<Violation> violations = new ArrayList<>(body.toRun("").violations());
            check(body.schedule(), body.timezone(), clock, violations);
            JsonNode end = body.endTime();
            checkEnd(end == null || end.isNull() || end.isTextual() && CronSchedule.parseTime(end.textValue()).isPresent(),
                    violations);
            return violations;
        }
    }
}
