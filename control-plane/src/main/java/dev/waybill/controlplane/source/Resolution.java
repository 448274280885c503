package dev.waybill.controlplane.source;

/** The result of resolving a ref. */
public sealed interface Resolution {

    /** @param commit the full commit id */
    record Resolved(String commit) implements Resolution {
    }

    /** The repository is accessible but does not have the ref. Fails the build. */
    record RefNotFound(String reason) implements Resolution {
    }

    /**
     * The repository is not accessible. Fails the revision's creation, immediately or when the retries have timed out.
     *
     * @param reason one sentence for the user, without secrets, that says how to fix it
     * @param retryable whether a retry can succeed: true if the host does not respond, false if it rejects the
     *        credential
     */
    record Unreachable(String reason, boolean retryable) implements Resolution {
    }
}
