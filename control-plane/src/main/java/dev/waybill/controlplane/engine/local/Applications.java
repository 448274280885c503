package dev.waybill.controlplane.engine.local;

import java.nio.file.Path;

/** Gives the process of a revision's folder. */
@FunctionalInterface
interface Applications {

    Application in(Path revision);
}
