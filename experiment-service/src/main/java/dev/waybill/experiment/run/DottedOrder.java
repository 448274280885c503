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
import dev.waybill.experiment.json.Texts;

/**
 * Position of a run in the tree of its trace: start times and ids of all runs from the root to the run, joined by dots.
 * Sorting by it gives the tree in depth-first order.
 *
 * @param ids root first, the run itself last
 * @param startTime start time of the run itself
 */
public record DottedOrder(List<UUID> ids, Instant startTime) {

    private static final int TIME_LENGTH = "20261121T000931341001Z".length();
    private static final int SEGMENT_LENGTH = TIME_LENGTH + 36;

    /** Parses a dotted order; returns empty if the text is malformed. */
    static Optional<DottedOrder> parse(String text) {
        if ((text.length() + 1) % (SEGMENT_LENGTH + 1) != 0) {
            return Optional.empty();
        }
        List<UUID> ids = new ArrayList<>((text.length() + 1) / (SEGMENT_LENGTH + 1));
        try {
            Instant startTime = Instant.EPOCH;
            for (int offset = 0; offset < text.length(); offset += SEGMENT_LENGTH + 1) {
                if (offset > 0 && text.charAt(offset - 1) != '.') {
                    return Optional.empty();
                }
                startTime = parseTime(text, offset);
                ids.add(Texts.parseId(text.substring(offset + TIME_LENGTH, offset + SEGMENT_LENGTH)).orElseThrow());
            }
            return Optional.of(new DottedOrder(ids, startTime));
        } catch (DateTimeException | java.util.NoSuchElementException e) {
            return Optional.empty();
        }
    }

    /** Returns the segment of one run, which is the complete dotted order of a root run. */
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

    /** Returns the ids of the ancestors, root first, parent last. */
    List<UUID> parentIds() {
        return ids.subList(0, ids.size() - 1);
    }

    private static Instant parseTime(String text, int offset) {
        if (text.charAt(offset + 8) != 'T' || text.charAt(offset + TIME_LENGTH - 1) != 'Z') {
            throw new DateTimeException("not a timestamp");
        }
        return LocalDateTime
                .of(parseDigits(text, offset, 4), parseDigits(text, offset + 4, 2), parseDigits(text, offset + 6, 2),
                        parseDigits(text, offset + 9, 2), parseDigits(text, offset + 11, 2), parseDigits(text, offset + 13, 2),
                        1000 * parseDigits(text, offset + 15, 6))
                .toInstant(ZoneOffset.UTC);
    }

    private static int parseDigits(String text, int from, int digits) {
        int value = 0;
        for (int i = from; i < from + digits; i++) {
            char digit = text.charAt(i);
            if (digit < '0' || digit > '9') {
                throw new DateTimeException("not a digit");
            }
            value = 10 * value + digit - '0';
        }
        return value;
    }
}
