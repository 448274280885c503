package dev.waybill.experiment.intake;

import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Limits of writing batches and of their attachments. */
@ConfigMapping(prefix = "waybill.intake")
public interface IntakeConfig {

    /**
     * Maximum number of batches that are written concurrently, each with a database connection; others wait, with fair
     * scheduling between workspaces.
     */
    @WithDefault("12")
    int maxConcurrentWrites();

    /** Maximum size of one attachment, in bytes; returned by {@code GET /info}. */
    @WithDefault("20M")
    MemorySize maxAttachmentSize();
}
