package dev.waybill.controlplane.engine.local;

import java.nio.file.Path;

/**
 * A built application.
 *
 * @param configuration the application's configuration file, in the application's directory
 * @param home the home directory of the build's commands
 */
record BuiltApplication(Path configuration, Path home) {
}
