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

/** Which commands make an application's dependencies: those its user gives, else what its files ask for. */
final class Installation {

    private static final int LARGEST_MANIFEST = 1 << 20;

    private Installation() {
    }

    /** In their order, each for {@code sh -c}, run in the application's folder. */
    static List<String> commands(Commit source, Path application) throws IOException {
        List<String> commands = new ArrayList<>();
        if (source.installCommand() != null) {
            commands.add(source.installCommand());
        } else {
            commands.addAll(usual(application));
        }
        if (source.buildCommand() != null) {
            commands.add(source.buildCommand());
        }
        return commands.stream().filter(command -> !command.isBlank()).toList();
    }

    private static List<String> usual(Path application) throws IOException {
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
            // npm says what is wrong with it.
            return true;
        }
    }
}
