package dev.waybill.runtime.thread;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.runtime.storage.ThreadStorage.StoredThread;
import io.smallrye.mutiny.Uni;

/** Stores the states of a new thread; the package of states implements it, which depends on this one. */
public interface InitialStates {

    /**
     * Stores states, one after the other.
     *
     * @param supersteps a list of objects with {@code updates}, which the validator has checked
     */
    Uni<Void> store(StoredThread thread, JsonNode supersteps);
}
