package dev.waybill.experiment.intake;

import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** What batches may bring and how they are written. */
@ConfigMapping(prefix = "waybill.intake.batches")
public interface IntakeConfig {

    /**
     * How many batches are written at once, each with a database connection; the others wait, and turns go round by workspace.
     */
    @WithDefault("12")
    int atOnce();

    /** The most bytes of one attachment; announced in {@code GET /info}. */
    @WithDefault("20M")
    MemorySize maxAttachmentSize();
}
