package dev.waybill.local.bench.start;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

import dev.waybill.local.bench.BenchmarkOptions;
import dev.waybill.local.container.ContainerGround;
import dev.waybill.local.container.Dockerfile;
import dev.waybill.local.container.Layout;

/** What the measures of images stand on: a database, and images as their Dockerfiles lay them out. */
final class StartBenchmarkContext {

    final ContainerGround ground;
    final BenchmarkOptions options;
    private final Path root;
    private final Path folder;
    private final PrintStream out;
    private final Map<Image, Layout> layouts = new HashMap<>();

    /** @param folder for images and their volumes */
    StartBenchmarkContext(Path root, Path folder, ContainerGround ground, BenchmarkOptions options, PrintStream out) {
        this.root = root;
        this.folder = folder;
        this.ground = ground;
        this.options = options;
        this.out = out;
    }

    void say(String words, Object... values) {
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

    /** @return the image, trained, put together when it is first asked for */
    Layout layout(Image image) {
        return layouts.computeIfAbsent(image, absent -> {
            say("        Putting the image of %s together ...", image.file());
            return Layout.of(root, folder.resolve(image.file()), dockerfile(image), true);
        });
    }
}
