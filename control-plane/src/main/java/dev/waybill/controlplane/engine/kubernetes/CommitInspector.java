package dev.waybill.controlplane.engine.kubernetes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.UUID;
import java.util.regex.Pattern;

import jakarta.inject.Singleton;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;

import dev.waybill.common.application.ApplicationFile;
import dev.waybill.common.application.InvalidApplicationException;
import dev.waybill.controlplane.engine.BuildLog;
import dev.waybill.controlplane.engine.BuildLog.Phase;
import dev.waybill.controlplane.engine.BuildLog.Stream;
import dev.waybill.controlplane.engine.RevisionSpec.ApplicationSource.Commit;
import dev.waybill.controlplane.engine.StepFailedException;
import dev.waybill.controlplane.engine.kubernetes.manifest.PodTemplates.RuntimeLanguages;
import dev.waybill.controlplane.source.Checkout;
import dev.waybill.controlplane.source.TemporaryFolders;
import dev.waybill.controlplane.source.git.GitRepositories;

/**
 * Checks a commit before anything is created in the cluster: reports most faults of a repository early and precisely, and
 * determines the runtime image. The checkout is deleted afterwards.
 */
@Singleton
class CommitInspector {

    private static final Pattern CONFIGURATION = Pattern.compile("(?!/)[^\\p{Cntrl}\\\\]{1,500}");

    private final GitRepositories repositories;

    CommitInspector(GitRepositories repositories) {
        this.repositories = repositories;
    }

    /** @throws StepFailedException for a fault that the user can fix */
    RuntimeLanguages inspect(UUID workspace, Commit source, BuildLog log) throws IOException, InterruptedException {
        Path folder = TemporaryFolders.INSTANCE.create("commit-");
        try {
            return inspectCheckout(workspace, source, folder.resolve("repository"), log);
        } finally {
            TemporaryFolders.remove(folder);
        }
    }

    private RuntimeLanguages inspectCheckout(UUID workspace, Commit source, Path files, BuildLog log)
            throws IOException, InterruptedException {
        Path configuration = configuration(files, source);
        log.line(Phase.BUILD, Stream.SYSTEM, "Checking commit " + source.id() + ".");
        Checkout checkout = repositories.checkout(workspace, source.url(), source.id(), source.credential(), files);
        log.commit(checkout.commit());
        checkout.warnings().forEach(what -> log.line(Phase.BUILD, Stream.SYSTEM, what));
        if (!Files.isRegularFile(configuration) || !configuration.toRealPath().startsWith(files.toRealPath())) {
            throw new StepFailedException("The repository has no configuration file \"" + source.configPath()
                    + "\" in this commit; add it, or name it in source_revision_config.langgraph_config_path.");
        }
        if (source.installCommand() == null && source.buildCommand() == null) {
            // With custom commands, missing files can be created later; the runtime reports those that were not.
            check(configuration, source);
        }
        return RuntimeLanguages.of(languages(configuration));
    }

    private static Path configuration(Path files, Commit source) {
        boolean valid = CONFIGURATION.matcher(source.configPath()).matches();
        Path file = valid ? files.resolve(source.configPath()).normalize() : files;
        // The path is passed to the pod unchanged, so it must be normalized.
        if (!file.startsWith(files) || !files.relativize(file).toString().equals(source.configPath())) {
            throw new StepFailedException(
                    "langgraph_config_path must be the normalized path of a file within the repository, for example"
                            + " \"langgraph.json\" or \"services/chat/langgraph.json\".");
        }
        return file;
    }

    private static void check(Path configuration, Commit source) {
        try {
            ApplicationFile.read(configuration.resolveSibling(""), configuration.getFileName().toString());
        } catch (InvalidApplicationException e) {
            throw new StepFailedException(source.configPath() + ": " + String.join("; ", e.errors()));
        }
    }

    /** Returns the languages of the configured graphs; other checks report an invalid file. */
    private static List<String> languages(Path configuration) throws IOException {
        TreeSet<String> found = new TreeSet<>();
        try {
            JsonNode graphs = JsonMapper.builder().build().readTree(configuration.toFile()).path("graphs");
            graphs.forEach(graph -> found.add(languages(graph)));
        } catch (JacksonException _) {
            found.clear();
        }
        return List.copyOf(found);
    }

    private static String languages(JsonNode graph) {
        String path = (graph.isTextual() ? graph.textValue() : graph.path("path").asText("")).toLowerCase(Locale.ROOT);
        return path.isEmpty() ? RuntimeLanguages.COMMAND
                : path.contains(".py:") ? RuntimeLanguages.PYTHON : RuntimeLanguages.NODE;
    }
}
