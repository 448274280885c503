package dev.waybill.export.destination;

import dev.waybill.export.storage.StorageException;
import dev.waybill.export.storage.StorageProblem;

/** A step of the probe failed. */
final class ProbeException extends RuntimeException {

    private final StorageProblem problem;
    private final ProbeStep step;

    ProbeException(StorageException failure, ProbeStep step) {
        super(failure);
        this.problem = failure.problem();
        this.step = step;
    }

    ProbeFailure failure() {
        return ProbeFailure.of(problem, step);
    }

    /** Returns whether a store that requires the other addressing style may respond like this. */
    boolean mayBeAddressingStyle() {
        return step == ProbeStep.WRITE && switch (problem) {
            case ACCESS_DENIED, NO_SUCH_BUCKET, NO_SUCH_OBJECT, WRONG_REGION, NOT_S3, NOT_SUPPORTED, REJECTED -> true;
            default -> false;
        };
    }
}
