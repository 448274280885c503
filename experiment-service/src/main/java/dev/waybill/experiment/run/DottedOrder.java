package dev.waybill.experiment.run;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

import dev.waybill.common.time.Timestamps;

/**
 * A run's place in its trace: for every run from the root down to it, start time and id, joined by dots. Sorting by it walks
 * the
 * tree.
 *
 * @param ids root first, the run itself last
 * @param startTime of the run itself
 */
public record DottedOrder(List<UUID> ids, Instant startTime) {

    private static final int TIME_LENGTH = "20261121T000931341001Z".length();
    private static final int SEGMENT_LENGTH = TIME_LENGTH + 36;

    /** Reads one, or answers nothing when the text has not the form. */
    static Optional<DottedOrder> parse(String text) {
        if ((text.length() + 1) % (SEGMENT_LENGTH + 1) != 0) {
            return Optional.empty();
        }
        List<UUID> ids = new ArrayList<>((text.length() + 1) / (SEGMENT_LENGTH + 1));
        try {
            Instant startTime = Instant.EPOCH;
            for (int at = 0; at < text.length(); at += SEGMENT_LENGTH + 1) {
                if (at > 0 && text.charAt(at - 1) != '.') {
                    return Optional.empty();
                }
                startTime = time(text, at);
                ids.add(RunIds.parse(text.substring(at + TIME_LENGTH, at + SEGMENT_LENGTH)).orElseThrow());
            }
            return Optional.of(new DottedOrder(ids, startTime));
        } catch (DateTimeException | java.util.NoSuchElementException e) {
            return Optional.empty();
        }
    }

    /** The segment of one run; the whole of a root. */
    public static String segment(Instant startTime, UUID id) {
        return Timestamps.compact(startTime) + id;
    }

    UUID id() {
        return ids.getLast();
    }

    UUID traceId() {
        return ids.getFirst();
    }

    Optional<UUID> parentId() {
        return ids.size() < 2 ? Optional.empty() : Optional.of(ids.get(ids.size() - 2));
    }

    /** The runs above this one, root first, direct parent last. */
    List<UUID> parentIds() {
        return ids.subList(0, ids.size() - 1);
    }

    private static Instant time(String text, int at) {
        if (text.charAt(at + 8) != 'T' || text.charAt(at + TIME_LENGTH - 1) != 'Z') {
            throw new DateTimeException("no time");
        }
        return LocalDateTime.of(number(text, at, 4), number(text, at + 4, 2), number(text, at + 6, 2),
                number(text, at + 9, 2), number(text, at + 11, 2), number(text, at + 13, 2),
                1000 * number(text, at + 15, 6))
                .toInstant(ZoneOffset.UTC);
    }

    private static int number(String text, int from, int digits) {
        int value = 0;
        for (int i = from; i < from + digits; i++) {
            char digit = text.charAt(i);
            if (digit < '0' || digit > '9') {
                throw new DateTimeException("no digit");
            }
            value = 10 * value + digit - '0';
        }
        return value;
    }
}
