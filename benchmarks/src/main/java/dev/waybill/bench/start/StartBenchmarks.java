package dev.waybill.bench.start;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

import dev.waybill.bench.BenchmarkCase;
import dev.waybill.bench.BenchmarkOptions;
import dev.waybill.bench.BenchmarkResult;
import dev.waybill.local.container.ContainerEnvironment;
import dev.waybill.local.storage.Folders;

/** Runs the image benchmarks. */
public final class StartBenchmarks {

    private static final List<BenchmarkCase<StartBenchmarkContext>> CASES = List.of(
            new BenchmarkCase<>("start", bench -> new ServiceStartBenchmark(bench).measure()),
            new BenchmarkCase<>("size", bench -> new ImageSizeBenchmark(bench).measure()));

    private StartBenchmarks() {
    }

    /** Runs the selected benchmarks in a temporary folder that the user of the images can read. */
    public static List<BenchmarkResult> measure(Path root, Path folder, BenchmarkOptions options, PrintStream out) {
        if (CASES.stream().noneMatch(measure -> options.includes(measure.name()))) {
            return List.of();
        }
        Path images = null;
        try {
            images = Files.createTempDirectory("waybill-images-",
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
            try (ContainerEnvironment ground = ContainerEnvironment.open(root, images, folder.resolve("start"))) {
                return BenchmarkCase.runSelected(CASES, new StartBenchmarkContext(root, images, ground, options, out), options,
                        out);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            if (images != null) {
                Folders.delete(images);
            }
        }
    }
}
