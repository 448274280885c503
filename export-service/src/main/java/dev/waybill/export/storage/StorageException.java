package dev.waybill.export.storage;

import org.jspecify.annotations.Nullable;

/**
 * A store did not do as asked. The message is fit for the bucket's owner: it never repeats what the store wrote, which may be
 * anything. What is worth knowing for those who host the service stands in {@link #toString}.
 */
public final class StorageException extends RuntimeException {

    private final StorageProblem problem;
    private final String details;

    StorageException(StorageProblem problem, String details, @Nullable Throwable cause) {
        super(problem.message(), cause);
        this.problem = problem;
        this.details = details;
    }

    public StorageException(StorageProblem problem, String details) {
        this(problem, details, null);
    }

    /** What went wrong. */
    public StorageProblem problem() {
        return problem;
    }

    /** Whether trying again cannot mend it. */
    public boolean isPermanent() {
        return problem.isPermanent();
    }

    /** What went wrong, as a word for programs. */
    public String code() {
        return problem.code();
    }

    @Override
    public String toString() {
        return "StorageException: " + code() + " (" + details + ")";
    }
}
