package dev.waybill.local.tour;

/** Receives the progress of an operation. */
@FunctionalInterface
public interface Progress {

    /** Ignores the progress. */
    Progress NONE = (done, total) -> {
    };

    void at(long done, long total);
}
