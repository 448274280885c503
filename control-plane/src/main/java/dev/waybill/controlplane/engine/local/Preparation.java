package dev.waybill.controlplane.engine.local;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

import dev.waybill.common.application.Application;
import dev.waybill.common.application.ApplicationFile;
import dev.waybill.common.application.InvalidApplicationException;
import dev.waybill.controlplane.engine.ApplicationSource.Commit;
import dev.waybill.controlplane.engine.BuildLog;
import dev.waybill.controlplane.engine.BuildLog.Phase;
import dev.waybill.controlplane.engine.BuildLog.Stream;
import dev.waybill.controlplane.engine.Plan;
import dev.waybill.controlplane.source.Checkout;
import dev.waybill.controlplane.source.git.GitRepositories;

/**
 * From a commit to a folder that a runtime can serve. What a crash left half made is thrown away and made anew; what is whole
 * is marked so, last of all.
 */
final class Preparation {

    private static final String FILES = "repository";
    private static final String HOME = "home";
    private static final String TEMPORARY = "tmp";
    private static final Pattern CONFIGURATION = Pattern.compile("(?!/)[^\\p{Cntrl}\\\\]{1,500}");

    private final GitRepositories repositories;
    private final LocalEngineConfig config;
    private final Launch launch;

    Preparation(GitRepositories repositories, LocalEngineConfig config, Launch launch) {
        this.repositories = repositories;
        this.config = config;
        this.launch = launch;
    }

    /** What the revision in the folder serves; nothing when it is not there, or not whole. */
    static Optional<Prepared> of(Path folder, Commit source) throws IOException {
        return Builds.usedBy(folder)
                .map(build -> new Prepared(configuration(build, source), build.resolve(HOME)));
    }

    /** The configuration file of a build. */
    private static Path configuration(Path build, Commit source) {
        Path files = build.resolve(FILES);
        boolean spelled = CONFIGURATION.matcher(source.configPath()).matches();
        Path file = spelled ? files.resolve(source.configPath()).normalize() : files;
        if (!file.startsWith(files) || file.equals(files)) {
            throw new StepFailure("langgraph_config_path must be the path of a file within the repository, for example"
                    + " \"langgraph.json\" or \"services/chat/langgraph.json\".");
        }
        return file;
    }

    /** @throws StepFailure for what its user can do something about */
    void run(Plan plan, Commit source, Path folder, BuildLog log) throws IOException, InterruptedException {
        if (Builds.usedBy(folder).isPresent()) {
            return;
        }
        Path build = Builds.of(folder.resolveSibling(""), plan, source);
        if (Builds.isWhole(build)) {
            log.line(Phase.BUILD, Stream.SYSTEM, "Commit " + source.id() + " was built already with these commands and secrets;"
                    + " nothing is fetched or installed again.");
        } else {
            Builds.remove(build);
            Places.create(build);
            make(plan, source, build, log);
        }
        Builds.use(folder, build);
    }

    private void make(Plan plan, Commit source, Path build, BuildLog log) throws IOException, InterruptedException {
        Path configuration = configuration(build, source);
        fetch(plan, source, build, log);
        checkIsThere(configuration, build, source);
        Path application = application(configuration);
        List<String> commands = Installation.commands(source, application);
        if (source.installCommand() == null && source.buildCommand() == null) {
            // Nothing that comes will mend it.
            check(configuration, build);
        }
        Path temporary = build.resolve(TEMPORARY);
        Map<String, String> environment = launch.environment(build, build.resolve(HOME), temporary, plan.environment());
        for (String command : commands) {
            new Command(command, build, config, log).run(launch, application, environment);
        }
        // Commands may have put something else in its place.
        checkIsThere(configuration, build, source);
        requirePrograms(check(configuration, build), configuration, build, environment);
        Places.remove(temporary);
    }

    private void fetch(Plan plan, Commit source, Path folder, BuildLog log) throws InterruptedException {
        log.line(Phase.BUILD, Stream.SYSTEM, "Fetching commit " + source.id() + ".");
        Checkout checkout = repositories.checkout(plan.tenantId(), source.url(), source.id(), source.credential(),
                folder.resolve(FILES));
        log.line(Phase.BUILD, Stream.SYSTEM, "The commit has " + checkout.entries() + " files and folders, "
                + checkout.bytes() + " bytes.");
        checkout.warnings().forEach(what -> log.line(Phase.BUILD, Stream.SYSTEM, what));
    }

    private static void checkIsThere(Path configuration, Path folder, Commit source) throws IOException {
        boolean inside = Files.isRegularFile(configuration)
                && configuration.toRealPath().startsWith(folder.resolve(FILES).toRealPath());
        if (!inside) {
            throw new StepFailure("The repository has no configuration file \"" + source.configPath()
                    + "\" in this commit; add it, or name it in source_revision_config.langgraph_config_path.");
        }
    }

    private static Application check(Path configuration, Path folder) {
        try {
            return ApplicationFile.read(application(configuration), configuration.getFileName().toString(),
                    folder.resolve(FILES));
        } catch (InvalidApplicationException e) {
            throw new StepFailure(folder.resolve(FILES).relativize(configuration) + ": " + String.join("; ", e.errors()));
        }
    }

    /** Known before the start: a program that is not there now will not be there then. */
    private void requirePrograms(Application application, Path configuration, Path folder, Map<String, String> environment)
            throws IOException {
        Map<String, String> found = new TreeMap<>(environment);
        Path python = application.directory().resolve(".venv/bin");
        found.merge("PATH", python.toString(), (path, first) -> first + File.pathSeparator + path);
        List<String> missing = Programs.missing(application, found, Path.of(launch.java()));
        if (!missing.isEmpty()) {
            throw new StepFailure(folder.resolve(FILES).relativize(configuration) + ": " + String.join("; ", missing) + ".");
        }
    }

    private static Path application(Path configuration) {
        Path parent = configuration.getParent();
        if (parent == null) {
            throw new IllegalArgumentException("a file is in a folder");
        }
        return parent;
    }
}
