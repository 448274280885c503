package dev.waybill.runtime.access;

import dev.waybill.runtime.access.ControlPlaneKeyVerifier.Principal;
import dev.waybill.runtime.storage.Owner;

/** Resolves the owner of the threads of a caller (docs/decisions/0170). */
public final class ThreadOwner {

    /** All callers with configured keys, or without a key, so that exchanging a key loses no thread. */
    private static final Owner LOCAL = new Owner("local");

    private ThreadOwner() {
    }

    /** Returns the owner for the name of a principal: its workspace, or the one that callers without a workspace share. */
    public static Owner of(String principal) {
        return Principal.isName(principal) ? new Owner(principal) : LOCAL;
    }
}
