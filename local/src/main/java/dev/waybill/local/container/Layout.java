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

/** The folders of a Dockerfile's stages with exactly what it copies into them; what its base images have is this machine's. */
public final class Layout {

    private static final String FROM_STAGE = "--from=";
    private static final String TRAINING = "/usr/local/bin/train ";

    private final Path context;
    private final Path folder;
    private final Dockerfile dockerfile;
    private final boolean trains;
    private final Map<String, Path> stages = new TreeMap<>();

    private Layout(Path context, Path folder, Dockerfile dockerfile, boolean trains) {
        this.context = context;
        this.folder = folder;
        this.dockerfile = dockerfile;
        this.trains = trains;
    }

    /**
     * Builds it: copies, and runs what the stages before the last one run.
     *
     * @param context the project's folder
     * @param trains whether the AOT cache is made, which costs some 20 s of CPU; a service starts without one, too
     */
    public static Layout of(Path context, Path folder, Dockerfile dockerfile, boolean trains) {
        Layout layout = new Layout(context, folder, dockerfile, trains);
        layout.stage(dockerfile.image().from());
        return layout;
    }

    /** What is {@code /} in the image. */
    public Path root() {
        return stage(dockerfile.image().from());
    }

    /** A path in the image as a path of this machine. */
    public Path path(String inImage) {
        return root().resolve(inImage.replaceFirst("^/", ""));
    }

    /** Where its command is started. */
    public Path directory() {
        return path(dockerfile.image().last("WORKDIR").orElseThrow().text());
    }

    private Path stage(String from) {
        Path known = stages.get(from);
        if (known != null) {
            return known;
        }
        Path root = folder.resolve("stage-" + stages.size());
        stages.put(from, root);
        Dockerfile.Stage stage = dockerfile.stages().stream().filter(each -> each.from().equals(from)).findAny().orElseThrow();
        Path directory = root;
        for (Dockerfile.Instruction instruction : stage.instructions()) {
            switch (instruction.word()) {
                case "WORKDIR" -> directory = root.resolve(instruction.text().replaceFirst("^/", ""));
                case "COPY" -> copy(root, directory, instruction.text());
                case "RUN" -> {
                    if (trains || !instruction.text().contains(TRAINING)) {
                        run(root, directory, instruction.text());
                    }
                }
                default -> {
                    // Says how the image is used, not what is in it.
                }
            }
        }
        return root;
    }

    private void copy(Path root, Path directory, String text) {
        List<String> words = Arrays.asList(text.split(" "));
        boolean fromStage = words.getFirst().startsWith(FROM_STAGE);
        Path source = fromStage
                ? stage(dockerfile.stage(words.getFirst().substring(FROM_STAGE.length())).from())
                : context;
        String target = words.getLast();
        Path to = target.startsWith("/") ? root.resolve(target.substring(1)) : directory.resolve(target);
        for (String word : words.subList(fromStage ? 1 : 0, words.size() - 1)) {
            // A base image's own JVM and libraries are this machine's.
            boolean ours = !word.startsWith("/opt/java/") && !word.startsWith("/usr/lib64/");
            if (ours && (trains || !word.endsWith("/service.aot"))) {
                copy(source.resolve(word.replaceFirst("^/", "")), to, target.endsWith("/"));
            }
        }
    }

    /** As Docker does: of a folder what is in it; times are kept. */
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

    /** Packages of the system are the machine's own here; everything else is run where it lies. */
    private static void run(Path root, Path directory, String text) {
        if (text.startsWith("apt-get ")) {
            return;
        }
        Map<String, String> environment = new TreeMap<>();
        String command = text;
        while (command.matches("[A-Z_]+=\\S+ .*")) {
            int equals = command.indexOf('=');
            int end = command.indexOf(' ');
            environment.put(command.substring(0, equals), here(root, command.substring(equals + 1, end)));
            command = command.substring(end + 1);
        }
        List<String> words = new ArrayList<>(Arrays.stream(command.split(" ")).map(word -> here(root, word)).toList());
        if (command.startsWith(TRAINING)) {
            // The image's own port may be somebody's here.
            words.set(words.size() - 1, Integer.toString(FreePort.find()));
        }
        Started.run(words, directory, environment);
    }

    private static String here(Path root, String word) {
        return word.startsWith("/") ? root.resolve(word.substring(1)).toString() : word;
    }
}
