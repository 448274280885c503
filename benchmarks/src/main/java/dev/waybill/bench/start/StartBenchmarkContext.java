package dev.waybill.bench.start;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

import dev.waybill.bench.BenchmarkOptions;
import dev.waybill.local.container.ContainerEnvironment;
import dev.waybill.local.container.Dockerfile;
import dev.waybill.local.container.ImageLayout;

/** Shared state of the image benchmarks: a database, and image layouts that are built from the Dockerfiles. */
final class StartBenchmarkContext {

    final ContainerEnvironment ground;
    final BenchmarkOptions options;
    private final Path root;
    private final Path folder;
    private final PrintStream out;
    private final Map<Image, ImageLayout> layouts = new HashMap<>();

    /** @param folder folder for image layouts and volumes */
    StartBenchmarkContext(Path root, Path folder, ContainerEnvironment ground, BenchmarkOptions options, PrintStream out) {
        this.root = root;
        this.folder = folder;
        this.ground = ground;
        this.options = options;
        this.out = out;
    }

    void print(String words, Object... values) {
        out.printf(Locale.ROOT, words + "%n", values);
        out.flush();
    }

    Path log(String name) {
        return folder.resolve(name + ".log");
    }

    Dockerfile dockerfile(Image image) {
        return ground.dockerfile(image.file());
    }

    boolean isBuilt(Image image) {
        return ground.isBuilt(dockerfile(image));
    }

    /** Returns the image layout with a trained AOT cache, which is built on first use. */
    ImageLayout layout(Image image) {
        return layouts.computeIfAbsent(image, notApplicable -> {
            print("        Building the image layout of %s ...", image.file());
            return ImageLayout.of(root, folder.resolve(image.file()), dockerfile(image), true);
        });
    }
}
