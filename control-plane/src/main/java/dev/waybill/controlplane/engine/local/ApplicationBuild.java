package dev.waybill.controlplane.engine.local;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

import dev.waybill.common.application.Application;
import dev.waybill.common.application.ApplicationFile;
import dev.waybill.common.application.Graph;
import dev.waybill.common.application.InvalidApplicationException;
import dev.waybill.controlplane.engine.BuildLog;
import dev.waybill.controlplane.engine.BuildLog.Phase;
import dev.waybill.controlplane.engine.BuildLog.Stream;
import dev.waybill.controlplane.engine.RevisionSpec;
import dev.waybill.controlplane.engine.RevisionSpec.ApplicationSource.Commit;
import dev.waybill.controlplane.engine.StepFailedException;
import dev.waybill.controlplane.engine.ThreadSettings;
import dev.waybill.controlplane.engine.local.BuildCommand.InstallCommands;
import dev.waybill.controlplane.source.Checkout;
import dev.waybill.controlplane.source.git.GitRepositories;

/**
 * Builds a commit into a folder that a runtime can serve. Incomplete builds are discarded; a complete one is marked in the last
 * step.
 */
final class ApplicationBuild {

    private static final String FILES = "repository";
    private static final String HOME = "home";
    private static final String TEMPORARY = "tmp";
    private static final Pattern CONFIGURATION = Pattern.compile("(?!/)[^\\p{Cntrl}\\\\]{1,500}");

    private final GitRepositories repositories;
    private final LocalEngineConfig config;
    private final ProcessLauncher launcher;

    ApplicationBuild(GitRepositories repositories, LocalEngineConfig config, ProcessLauncher launcher) {
        this.repositories = repositories;
        this.config = config;
        this.launcher = launcher;
    }

    /** Returns the build of the revision; empty if it is missing or incomplete. */
    static Optional<BuiltApplication> of(Path folder, Commit source) throws IOException {
        return BuildCache.usedBy(folder)
                .map(build -> new BuiltApplication(configuration(build, source), build.resolve(HOME)));
    }

    /** Returns the configuration file of a build. */
    private static Path configuration(Path build, Commit source) {
        Path files = build.resolve(FILES);
        boolean valid = CONFIGURATION.matcher(source.configPath()).matches();
        Path file = valid ? files.resolve(source.configPath()).normalize() : files;
        if (!file.startsWith(files) || file.equals(files)) {
            throw new StepFailedException("langgraph_config_path must be the path of a file within the repository, for example"
                    + " \"langgraph.json\" or \"services/chat/langgraph.json\".");
        }
        return file;
    }

    /** @throws StepFailedException if the build fails for a reason that the user can fix */
    void run(RevisionSpec plan, Commit source, Path folder, BuildLog log) throws IOException, InterruptedException {
        if (BuildCache.usedBy(folder).isPresent()) {
            return;
        }
        Path build = BuildCache.of(folder.resolveSibling(""), plan, source);
        if (BuildCache.isComplete(build)) {
            log.line(Phase.BUILD, Stream.SYSTEM,
                    "Commit " + source.id() + " was built already with these commands and secrets; "
                            + "that build is reused.");
        } else {
            BuildCache.remove(build);
            EnginePaths.create(build);
            buildIn(plan, source, build, log);
        }
        BuildCache.use(folder, build);
    }

    private void buildIn(RevisionSpec plan, Commit source, Path build, BuildLog log) throws IOException, InterruptedException {
        Path configuration = configuration(build, source);
        fetch(plan, source, build, log);
        requireConfiguration(configuration, build, source);
        Path application = application(configuration);
        List<String> commands = InstallCommands.commands(source, application);
        if (source.installCommand() == null && source.buildCommand() == null) {
            // Without custom commands nothing can create missing graphs later.
            check(configuration, build);
        }
        Path temporary = build.resolve(TEMPORARY);
        Map<String, String> environment = launcher.environment(build, build.resolve(HOME), temporary,
                ThreadSettings.withoutPassword(plan.environment()));
        for (String command : commands) {
            new BuildCommand(command, build, config, log).run(launcher, application, environment);
        }
        // Commands may have replaced the file.
        requireConfiguration(configuration, build, source);
        requirePrograms(check(configuration, build), configuration, build, environment);
        EnginePaths.remove(temporary);
    }

    private void fetch(RevisionSpec plan, Commit source, Path folder, BuildLog log) throws InterruptedException {
        log.line(Phase.BUILD, Stream.SYSTEM, "Fetching commit " + source.id() + ".");
        Checkout checkout = repositories.checkout(plan.tenantId(), source.url(), source.id(), source.credential(),
                folder.resolve(FILES));
        log.line(Phase.BUILD, Stream.SYSTEM, "The commit has " + checkout.entries() + " files and folders, "
                + checkout.bytes() + " bytes.");
        log.commit(checkout.commit());
        checkout.warnings().forEach(what -> log.line(Phase.BUILD, Stream.SYSTEM, what));
    }

    private static void requireConfiguration(Path configuration, Path folder, Commit source) throws IOException {
        boolean inside = Files.isRegularFile(configuration)
                && configuration.toRealPath().startsWith(folder.resolve(FILES).toRealPath());
        if (!inside) {
            throw new StepFailedException("The repository has no configuration file \"" + source.configPath()
                    + "\" in this commit; add it, or name it in source_revision_config.langgraph_config_path.");
        }
    }

    private static Application check(Path configuration, Path folder) {
        try {
            return ApplicationFile.read(application(configuration), configuration.getFileName().toString(),
                    folder.resolve(FILES));
        } catch (InvalidApplicationException e) {
            throw new StepFailedException(
                    folder.resolve(FILES).relativize(configuration) + ": " + String.join("; ", e.errors()));
        }
    }

    /** Checks the programs of the graphs before the start, because a missing one fails the build. */
    private void requirePrograms(Application application, Path configuration, Path folder, Map<String, String> environment)
            throws IOException {
        Map<String, String> found = new TreeMap<>(environment);
        Path python = application.directory().resolve(".venv/bin");
        found.merge("PATH", python.toString(), (path, first) -> first + File.pathSeparator + path);
        List<String> missing = ProgramCheck.missing(application, found, Path.of(launcher.java()));
        if (!missing.isEmpty()) {
            throw new StepFailedException(
                    folder.resolve(FILES).relativize(configuration) + ": " + String.join("; ", missing) + ".");
        }
    }

    private static Path application(Path configuration) {
        Path parent = configuration.getParent();
        if (parent == null) {
            throw new IllegalArgumentException("a file is in a folder");
        }
        return parent;
    }

    /**
     * A built application.
     *
     * @param configuration the application's configuration file, in the application's directory
     * @param home the home directory of the build's commands
     */
    record BuiltApplication(Path configuration, Path home) {
    }

    /** Checks that the programs of an application's graphs exist, with the same lookup as deployment-runtime. */
    static final class ProgramCheck {

        private ProgramCheck() {
        }

        /**
         * Returns a sentence for each graph whose program is missing.
         *
         * @param environment the runtime's environment
         * @param java the {@code java} program of the runtime
         */
        static List<String> missing(Application application, Map<String, String> environment, Path java) {
            String path = application.environment().getOrDefault("PATH", environment.getOrDefault("PATH", ""));
            List<Path> folders = new ArrayList<>(Arrays.stream(path.split(File.pathSeparator))
                    .filter(folder -> !folder.isBlank())
                    .map(Path::of)
                    .toList());
            folders.add(java.resolveSibling(""));
            Path directory = application.directory();
            return application.graphs().stream()
                    .filter(graph -> !exists(program(graph), directory, folders))
                    .map(ProgramCheck::sentence)
                    .toList();
        }

        private static boolean exists(String program, Path directory, List<Path> folders) {
            return program.contains("/")
                    ? isProgram(directory.resolve(program).normalize())
                    : folders.stream().anyMatch(folder -> isProgram(folder.resolve(program)));
        }

        private static boolean isProgram(Path file) {
            return Files.isRegularFile(file) && Files.isExecutable(file);
        }

        private static String program(Graph graph) {
            return switch (graph.origin()) {
                case Graph.Command command -> command.words().getFirst();
                case Graph.Module module -> switch (module.language()) {
                    case NODE -> "node";
                    case PYTHON -> "python3";
                };
            };
        }

        private static String sentence(Graph graph) {
            String program = program(graph);
            if (graph.origin() instanceof Graph.Module) {
                return "graphs." + graph.id() + " needs the program \"" + program + "\", which is not on the PATH; ask the "
                        + "operator to install it";
            }
            return program.contains("/")
                    ? "graphs." + graph.id() + " runs \"" + program
                            + "\", but there is no such executable file; write its path from"
                            + " the application's directory on, and make it executable"
                    : "graphs." + graph.id() + " runs \"" + program
                            + "\", but there is no such program on the PATH; install it with"
                            + " install_command, or fix the command";
        }
    }
}
