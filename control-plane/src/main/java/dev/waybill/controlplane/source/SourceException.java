package dev.waybill.controlplane.source;

/** A failure to read a repository that the user can fix. The message is written for the user and has no credential. */
public final class SourceException extends RuntimeException {

    private final Kind kind;

    public SourceException(Kind kind, String message) {
        super(message, null, false, false);
        this.kind = kind;
    }

    public Kind kind() {
        return kind;
    }

    /** The category of the failure. */
    public enum Kind {
        /** The URL or the credential is rejected; a retry does not help. */
        UNREACHABLE,
        /** The host does not respond as expected; a retry can help. */
        UNAVAILABLE,
        /** The repository is accessible but does not have the requested ref or commit. */
        REF_NOT_FOUND,
        /** The repository exceeds a limit, or its files cannot be written safely. */
        REFUSED
    }
}
