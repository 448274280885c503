package dev.waybill.runtime.storage;

import java.util.UUID;

/** Permission to write for one attempt of a running run. A claim, the end of the run and a deletion of its thread void it. */
public record RunFence(ThreadKey thread, UUID run, int attempt) {
}
