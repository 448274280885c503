package dev.waybill.common.api.trace;

/** The constraint for text that PostgreSQL can store. */
final class StorableText {

    static final String REGEXP = "[^\\x00]*";
    static final String MESSAGE = "must not contain U+0000";

    private StorableText() {
    }
}
