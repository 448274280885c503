package dev.waybill.runtime.storage;

import java.util.UUID;

/**
 * Key of one creation of a thread. A thread that is deleted and created again with the same id has another key, so late
 * writes of the earlier one cannot reach it.
 */
public record ThreadKey(Owner owner, UUID thread, UUID key) {
}
