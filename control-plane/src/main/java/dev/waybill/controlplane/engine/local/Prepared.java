package dev.waybill.controlplane.engine.local;

import java.nio.file.Path;

/**
 * What a runtime serves.
 *
 * @param configuration the application's file; its folder is the application's
 * @param home what commands found as their home, with what they left there
 */
record Prepared(Path configuration, Path home) {
}
