package dev.waybill.controlplane.audit;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Sort key of an event for keyset pagination. As a cursor it is not signed: it only selects among events of the caller. */
record AuditEventPosition(Instant occurredAt, UUID id) {

    private static final Pattern CURSOR = Pattern
            .compile("([0-9]{1,17})_([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})");
    private static final UUID FIRST = new UUID(0, 0);

    /** Returns the position before all events of that time. */
    static AuditEventPosition startOf(Instant time) {
        return new AuditEventPosition(time, FIRST);
    }

    static Optional<AuditEventPosition> parse(String cursor) {
        Matcher parts = CURSOR.matcher(cursor);
        return parts.matches()
                ? Optional.of(new AuditEventPosition(
                        Instant.EPOCH.plus(Long.parseLong(parts.group(1)), ChronoUnit.MICROS), UUID.fromString(parts.group(2))))
                : Optional.empty();
    }

    String toCursor() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, occurredAt) + "_" + id;
    }
}
