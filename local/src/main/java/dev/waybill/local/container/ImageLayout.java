package dev.waybill.local.container;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

import dev.waybill.local.storage.FreePort;

/** Folders with the files that a Dockerfile's stages contain. Uses the host's programs in place of the base images. */
public final class ImageLayout {

    private static final String FROM_STAGE = "--from=";
    private static final String TRAINING_COMMAND = "/usr/local/bin/train ";

    private final Path context;
    private final Path folder;
    private final Dockerfile dockerfile;
    private final boolean runsTraining;
    private final Map<String, Path> stages = new TreeMap<>();

    private ImageLayout(Path context, Path folder, Dockerfile dockerfile, boolean runsTraining) {
        this.context = context;
        this.folder = folder;
        this.dockerfile = dockerfile;
        this.runsTraining = runsTraining;
    }

    /**
     * Builds the layout: copies files and runs the commands of all stages.
     *
     * @param context the project's folder
     * @param runsTraining whether to create the AOT cache, which takes about 20 s of CPU; services also start without it
     */
    public static ImageLayout of(Path context, Path folder, Dockerfile dockerfile, boolean runsTraining) {
        ImageLayout layout = new ImageLayout(context, folder, dockerfile, runsTraining);
        layout.stage(dockerfile.image().from());
        return layout;
    }

    /** Returns the folder of the image's root. */
    public Path root() {
        return stage(dockerfile.image().from());
    }

    /** Converts a path in the image to a path of the host. */
    public Path path(String inImage) {
        return root().resolve(inImage.replaceFirst("^/", ""));
    }

    /** Returns the working directory. */
    public Path directory() {
        return path(dockerfile.image().last("WORKDIR").orElseThrow().text());
    }

    private Path stage(String from) {
        Path existing = stages.get(from);
        if (existing != null) {
            return existing;
        }
        Path root = folder.resolve("stage-" + stages.size());
        stages.put(from, root);
        Dockerfile.Stage stage = dockerfile.stages().stream().filter(candidate -> candidate.from().equals(from)).findAny()
                .orElseThrow();
        Path directory = root;
        for (Dockerfile.Instruction instruction : stage.instructions()) {
            switch (instruction.keyword()) {
                case "WORKDIR" -> directory = root.resolve(instruction.text().replaceFirst("^/", ""));
                case "COPY" -> copy(root, directory, instruction.text());
                case "RUN" -> {
                    if (runsTraining || !instruction.text().contains(TRAINING_COMMAND)) {
                        run(root, directory, instruction.text());
                    }
                }
                default -> {
                    // Other instructions do not change files.
                }
            }
        }
        return root;
    }

    private void copy(Path root, Path directory, String text) {
        List<String> arguments = Arrays.asList(text.split(" "));
        boolean fromStage = arguments.getFirst().startsWith(FROM_STAGE);
        Path source = fromStage
                ? stage(dockerfile.stage(arguments.getFirst().substring(FROM_STAGE.length())).from())
                : context;
        String target = arguments.getLast();
        Path to = target.startsWith("/") ? root.resolve(target.substring(1)) : directory.resolve(target);
        for (String word : arguments.subList(fromStage ? 1 : 0, arguments.size() - 1)) {
            // The host provides the JVM and the libraries of the base image.
            boolean copied = !word.startsWith("/opt/java/") && !word.startsWith("/usr/lib64/");
            if (copied && (runsTraining || !word.endsWith("/service.aot"))) {
                copy(source.resolve(word.replaceFirst("^/", "")), to, target.endsWith("/"));
            }
        }
    }

    /** Copies like Docker: the content of a folder, with file times. */
    private static void copy(Path from, Path to, boolean intoFolder) {
        try (Stream<Path> files = Files.walk(from)) {
            Path target = Files.isDirectory(from) || !intoFolder ? to : to.resolve(from.getFileName());
            for (Path file : files.toList()) {
                Path copy = target.resolve(from.relativize(file).toString()).normalize();
                if (Files.isDirectory(file)) {
                    Files.createDirectories(copy);
                } else {
                    Files.createDirectories(copy.resolveSibling("."));
                    Files.copy(file, copy, StandardCopyOption.COPY_ATTRIBUTES, StandardCopyOption.REPLACE_EXISTING);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Runs a command with paths converted to the host, except the installation of system packages. */
    private static void run(Path root, Path directory, String text) {
        if (text.startsWith("apt-get ")) {
            return;
        }
        Map<String, String> environment = new TreeMap<>();
        String command = text;
        while (command.matches("[A-Z_]+=\\S+ .*")) {
            int equals = command.indexOf('=');
            int end = command.indexOf(' ');
            environment.put(command.substring(0, equals), toLocal(root, command.substring(equals + 1, end)));
            command = command.substring(end + 1);
        }
        List<String> arguments = new ArrayList<>(Arrays.stream(command.split(" ")).map(word -> toLocal(root, word)).toList());
        if (command.startsWith(TRAINING_COMMAND)) {
            // The image's default port may be in use on the host.
            arguments.set(arguments.size() - 1, Integer.toString(FreePort.find()));
        }
        ImageProcess.run(arguments, directory, environment);
    }

    private static String toLocal(Path root, String word) {
        return word.startsWith("/") ? root.resolve(word.substring(1)).toString() : word;
    }
}
