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
import dev.waybill.controlplane.engine.ApplicationSource.Commit;
import dev.waybill.controlplane.engine.BuildLog;
import dev.waybill.controlplane.engine.BuildLog.Phase;
import dev.waybill.controlplane.engine.BuildLog.Stream;
import dev.waybill.controlplane.engine.kubernetes.manifest.Needs;
import dev.waybill.controlplane.source.Checkout;
import dev.waybill.controlplane.source.TemporaryFolders;
import dev.waybill.controlplane.source.git.GitRepositories;

/**
 * Looks a commit through before the cluster hears of it: most faults of a repository are told at once and exactly, and which
 * image it needs is seen. Nothing of the commit is kept.
 */
@Singleton
class Inspection {

    private static final Pattern CONFIGURATION = Pattern.compile("(?!/)[^\\p{Cntrl}\\\\]{1,500}");

    private final GitRepositories repositories;

    Inspection(GitRepositories repositories) {
        this.repositories = repositories;
    }

    /** @throws StepFailure for what its user can do something about */
    Needs run(UUID workspace, Commit source, BuildLog log) throws IOException, InterruptedException {
        Path folder = TemporaryFolders.INSTANCE.create("commit-");
        try {
            return look(workspace, source, folder.resolve("repository"), log);
        } finally {
            TemporaryFolders.remove(folder);
        }
    }

    private Needs look(UUID workspace, Commit source, Path files, BuildLog log) throws IOException, InterruptedException {
        Path configuration = configuration(files, source);
        log.line(Phase.BUILD, Stream.SYSTEM, "Checking commit " + source.id() + ".");
        Checkout checkout = repositories.checkout(workspace, source.url(), source.id(), source.credential(), files);
        checkout.warnings().forEach(what -> log.line(Phase.BUILD, Stream.SYSTEM, what));
        if (!Files.isRegularFile(configuration) || !configuration.toRealPath().startsWith(files.toRealPath())) {
            throw new StepFailure("The repository has no configuration file \"" + source.configPath()
                    + "\" in this commit; add it, or name it in source_revision_config.langgraph_config_path.");
        }
        if (source.installCommand() == null && source.buildCommand() == null) {
            // Otherwise its commands may make what is missing, and the runtime tells what they did not.
            check(configuration, source);
        }
        return Needs.of(writtenIn(configuration));
    }

    private static Path configuration(Path files, Commit source) {
        boolean spelled = CONFIGURATION.matcher(source.configPath()).matches();
        Path file = spelled ? files.resolve(source.configPath()).normalize() : files;
        // As it is spelled it goes into the pod, so it must be spelled plainly.
        if (!file.startsWith(files) || !files.relativize(file).toString().equals(source.configPath())) {
            throw new StepFailure("langgraph_config_path must be the plain path of a file within the repository, for example"
                    + " \"langgraph.json\" or \"services/chat/langgraph.json\".");
        }
        return file;
    }

    private static void check(Path configuration, Commit source) {
        try {
            ApplicationFile.read(configuration.resolveSibling(""), configuration.getFileName().toString());
        } catch (InvalidApplicationException e) {
            throw new StepFailure(source.configPath() + ": " + String.join("; ", e.errors()));
        }
    }

    /** As far as it can be read: what is wrong with it is told elsewhere. */
    private static List<String> writtenIn(Path configuration) throws IOException {
        TreeSet<String> found = new TreeSet<>();
        try {
            JsonNode graphs = JsonMapper.builder().build().readTree(configuration.toFile()).path("graphs");
            graphs.forEach(graph -> found.add(writtenIn(graph)));
        } catch (JacksonException _) {
            found.clear();
        }
        return List.copyOf(found);
    }

    private static String writtenIn(JsonNode graph) {
        String path = (graph.isTextual() ? graph.textValue() : graph.path("path").asText("")).toLowerCase(Locale.ROOT);
        return path.isEmpty() ? Needs.COMMAND : path.contains(".py:") ? Needs.PYTHON : Needs.NODE;
    }
}
