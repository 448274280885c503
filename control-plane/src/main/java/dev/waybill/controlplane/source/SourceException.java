package dev.waybill.controlplane.source;

/** Something about a repository that its user can do something about; the message says what, without any credential. */
public final class SourceException extends RuntimeException {

    private final Kind kind;

    public SourceException(Kind kind, String message) {
        super(message, null, false, false);
        this.kind = kind;
    }

    public Kind kind() {
        return kind;
    }

    /** What it is about. */
    public enum Kind {
        /** The address is refused, or access is: trying again does not help. */
        UNREACHABLE,
        /** The host does not answer as it should just now. */
        AWAY,
        /** The repository opens, but what is asked for is not in it. */
        REF_NOT_FOUND,
        /** It holds more than is taken, or what cannot be laid out safely. */
        REFUSED
    }
}
