package dev.waybill.common.api.trace;

/** Text that PostgreSQL can keep. */
final class StorableText {

    static final String REGEXP = "[^\\x00]*";
    static final String MESSAGE = "must not contain U+0000";

    private StorableText() {
    }
}
