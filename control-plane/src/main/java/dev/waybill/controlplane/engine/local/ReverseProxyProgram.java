package dev.waybill.controlplane.engine.local;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.waybill.controlplane.ControlPlaneMain;
import dev.waybill.controlplane.engine.StepFailedException;
import dev.waybill.controlplane.engine.local.proxy.ReverseProxy;
import io.quarkus.runtime.ImageMode;

/**
 * The program of the {@link ReverseProxy} process, which is this control plane's. A packaged program is copied to the proxy's
 * folder, so that an upgrade can change the control plane's files while the proxy runs.
 */
final class ReverseProxyProgram {

    private static final List<String> OPTIONS = List.of("-Xmx192m", "-XX:MaxDirectMemorySize=192m", "-Xss256k",
            "-XX:+UseSerialGC", "-Xshare:auto", "-XX:+ExitOnOutOfMemoryError", "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow");
    private static final String JAR = "quarkus-run.jar";
    private static final List<String> PARTS = List.of(JAR, "lib", "app", "quarkus");
    private static final String MAIN_CLASS = ControlPlaneMain.class.getName();
    private static final String LOCK = "copy.lock";
    private static final String COPY = "program-";
    private static final String INCOMPLETE_COPY = "program.new";
    private static final long COPY_RETENTION_MILLIS = 3_600_000;

    private final Path folder;
    private final ProcessLauncher launcher;
    private final List<Path> classPath;
    private final ClassLoader loader;

    ReverseProxyProgram(Path folder, ProcessLauncher launcher) {
        this(folder, launcher, System.getProperty("java.class.path", ""), ClassLoader.getSystemClassLoader());
    }

    /**
     * @param folder the proxy's folder
     * @param classPath the class path of this JVM
     * @param loader loads the classes of the class path
     */
    ReverseProxyProgram(Path folder, ProcessLauncher launcher, String classPath, ClassLoader loader) {
        this.folder = folder;
        this.launcher = launcher;
        this.classPath = Stream.of(classPath.split(File.pathSeparator)).map(Path::of).map(Path::toAbsolutePath).toList();
        this.loader = loader;
    }

    /**
     * Returns the command that runs the program, without arguments.
     *
     * @throws StepFailedException if this program cannot run without its launcher
     */
    List<String> command() throws IOException, InterruptedException {
        if (ImageMode.current() == ImageMode.NATIVE_RUN) {
            // A file that is being executed cannot be changed, only replaced.
            return List.of(ProcessHandle.current().info().command().orElseThrow(), OPTIONS.getFirst());
        }
        List<String> command = new ArrayList<>(List.of(launcher.java()));
        command.addAll(OPTIONS);
        if (isPackaged()) {
            command.addAll(List.of("-jar", copy(classPath.getFirst().resolveSibling("")).resolve(JAR).toString()));
            return command;
        }
        if (loader.getResource(MAIN_CLASS.replace('.', '/') + ".class") == null) {
            throw new StepFailedException("A control plane in dev mode cannot start the reverse proxy of applications, because"
                    + " its classes are not on the class path. Start a packaged control plane with the same"
                    + " waybill.engine.local.directory first; it starts the reverse proxy with its first deployment.");
        }
        String classes = classPath.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
        command.addAll(List.of("-cp", classes, MAIN_CLASS));
        return command;
    }

    private boolean isPackaged() {
        return classPath.size() == 1 && classPath.getFirst().endsWith(JAR);
    }

    /** Returns a complete copy of the program; a copy that a crash interrupted is replaced. */
    private Path copy(Path program) throws IOException, InterruptedException {
        Path copied = folder.resolve(COPY + Files.getLastModifiedTime(program.resolve(JAR)).toMillis());
        return InterProcessLock.withLock(folder.resolve(LOCK), () -> {
            removeIncompleteCopies();
            if (!sizes(copied).equals(sizes(program))) {
                Path temporary = Files.createTempDirectory(folder, INCOMPLETE_COPY);
                copy(program, temporary);
                EnginePaths.remove(copied);
                Files.move(temporary, copied, StandardCopyOption.ATOMIC_MOVE);
            }
            removeOldCopies(copied);
            return copied;
        });
    }

    private static void copy(Path program, Path target) throws IOException {
        for (Path file : files(program)) {
            Path copied = target.resolve(program.relativize(file).toString());
            Files.createDirectories(copied.resolveSibling(""));
            Files.copy(file, copied);
        }
    }

    /** Returns the size of each file of the program; after a power failure, files of a copy can be empty. */
    private static Map<String, Long> sizes(Path program) throws IOException {
        Map<String, Long> sizes = new TreeMap<>();
        for (Path file : files(program)) {
            sizes.put(program.relativize(file).toString(), Files.size(file));
        }
        return sizes;
    }

    private static List<Path> files(Path program) throws IOException {
        List<Path> found = new ArrayList<>();
        for (String part : PARTS) {
            if (Files.exists(program.resolve(part))) {
                try (Stream<Path> files = Files.walk(program.resolve(part))) {
                    files.filter(Files::isRegularFile).forEach(found::add);
                }
            }
        }
        return found;
    }

    // The caller holds the lock, so no control plane is writing them.
    private void removeIncompleteCopies() throws IOException {
        try (DirectoryStream<Path> copies = Files.newDirectoryStream(folder, INCOMPLETE_COPY + "*")) {
            for (Path copy : copies) {
                EnginePaths.remove(copy);
            }
        }
    }

    /**
     * Removes the programs of earlier releases, except that of a running proxy; a recent one can belong to another control
     * plane of this machine.
     */
    private void removeOldCopies(Path current) throws IOException {
        long oldest = Files.getLastModifiedTime(current).toMillis() - COPY_RETENTION_MILLIS;
        try (DirectoryStream<Path> copies = Files.newDirectoryStream(folder, COPY + "*")) {
            for (Path copy : copies) {
                if (Files.getLastModifiedTime(copy).toMillis() < oldest && !isRunning(copy)) {
                    EnginePaths.remove(copy);
                }
            }
        }
    }

    private boolean isRunning(Path copy) {
        // Arguments of processes are read byte by byte.
        String argument = new String(copy.resolve(JAR).toString().getBytes(StandardCharsets.UTF_8),
                StandardCharsets.ISO_8859_1);
        return ProcessFinder.program(folder, argument).isPresent();
    }
}
