package dev.waybill.controlplane.source;

import java.time.Instant;

/**
 * A commit as its author describes it: untrusted text without control characters, truncated.
 *
 * @param author the author's name
 */
public record CommitDescription(String author, String message, Instant committedAt) {

    static final int MAX_AUTHOR_LENGTH = 200;
    static final int MAX_MESSAGE_LENGTH = 2_000;

    /** Returns the description without control characters, except line breaks of the message. */
    public static CommitDescription of(String author, String message, Instant committedAt) {
        return new CommitDescription(printable(author, MAX_AUTHOR_LENGTH), printable(message, MAX_MESSAGE_LENGTH), committedAt);
    }

    private static String printable(String text, int maxLength) {
        String printable = text.strip().replaceAll("[\\p{Cntrl}&&[^\n]]", " ");
        return printable.length() <= maxLength ? printable : printable.substring(0, maxLength) + "…";
    }
}
