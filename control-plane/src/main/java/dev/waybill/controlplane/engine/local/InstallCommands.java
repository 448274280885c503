package dev.waybill.controlplane.engine.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;

import dev.waybill.controlplane.engine.ApplicationSource.Commit;

/** Chooses the commands that install an application's dependencies: the user's, or defaults by its manifest files. */
final class InstallCommands {

    private static final int LARGEST_MANIFEST = 1 << 20;

    private InstallCommands() {
    }

    /** Returns the commands in order; each runs with {@code sh -c} in the application's directory. */
    static List<String> commands(Commit source, Path application) throws IOException {
        List<String> commands = new ArrayList<>();
        if (source.installCommand() != null) {
            commands.add(source.installCommand());
        } else {
            commands.addAll(defaults(application));
        }
        if (source.buildCommand() != null) {
            commands.add(source.buildCommand());
        }
        return commands.stream().filter(command -> !command.isBlank()).toList();
    }

    private static List<String> defaults(Path application) throws IOException {
        List<String> commands = new ArrayList<>();
        if (hasDependencies(application.resolve("package.json"))) {
            boolean locked = Files.exists(application.resolve("package-lock.json"));
            commands.add((locked ? "npm ci" : "npm install") + " --no-audit --no-fund");
        }
        if (Files.exists(application.resolve("requirements.txt"))) {
            commands.add(
                    "python3 -m venv .venv && .venv/bin/python -m pip install --disable-pip-version-check -r requirements.txt");
        }
        return commands;
    }

    private static boolean hasDependencies(Path manifest) throws IOException {
        if (!Files.isRegularFile(manifest)) {
            return false;
        }
        try {
            if (Files.size(manifest) > LARGEST_MANIFEST) {
                return true;
            }
            JsonNode root = JsonMapper.builder().build().readTree(manifest.toFile());
            return !root.path("dependencies").isEmpty() || !root.path("optionalDependencies").isEmpty();
        } catch (JacksonException _) {
            // npm reports the syntax error.
            return true;
        }
    }
}
