package dev.waybill.export.storage;

import org.jspecify.annotations.Nullable;

/**
 * A call to a store failed. The message is safe to show to the bucket's owner: it never contains text from the store. {@link
 * #toString} adds details for operators.
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

    /** Returns the classified problem. */
    public StorageProblem problem() {
        return problem;
    }

    /** Returns whether retries cannot succeed. */
    public boolean isPermanent() {
        return problem.isPermanent();
    }

    /** Returns the machine-readable code of the problem. */
    public String code() {
        return problem.code();
    }

    @Override
    public String toString() {
        return "StorageException: " + code() + " (" + details + ")";
    }
}
