package dev.waybill.controlplane.source;

/** What came of looking a reference up. */
public sealed interface Resolution {

    /** @param commit the whole commit id */
    record Resolved(String commit) implements Resolution {
    }

    /** The repository is there and opens, the reference is not in it. Fails the build. */
    record RefNotFound(String reason) implements Resolution {
    }

    /**
     * The repository cannot be asked. Fails the creation, at once or when its time is over.
     *
     * @param reason what the user can do about it, one sentence without secrets
     * @param mayPass whether trying again can help: a host that does not answer, not a credential that is refused
     */
    record Unreachable(String reason, boolean mayPass) implements Resolution {
    }
}
