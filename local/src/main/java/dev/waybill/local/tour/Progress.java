package dev.waybill.local.tour;

/** Hears how far a step is. */
@FunctionalInterface
public interface Progress {

    /** For whoever does not look. */
    Progress UNSEEN = (done, total) -> {
    };

    void at(long done, long total);
}
