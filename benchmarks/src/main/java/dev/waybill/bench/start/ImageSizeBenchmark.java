package dev.waybill.bench.start;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;

import dev.waybill.bench.BenchmarkResult;
import dev.waybill.bench.Goal;

/**
 * Measures the size that an image adds to its base image, stored and compressed for transfer. Base images and system
 * packages are not included.
 */
final class ImageSizeBenchmark {

    private static final double MIB = 1024 * 1024;
    private static final int TAR_BLOCK = 512;

    private final StartBenchmarkContext bench;

    ImageSizeBenchmark(StartBenchmarkContext bench) {
        this.bench = bench;
    }

    List<BenchmarkResult> measure() {
        List<BenchmarkResult> results = new ArrayList<>();
        for (Image image : Image.all()) {
            String name = "size " + image.file();
            if (!bench.isBuilt(image)) {
                results.add(BenchmarkResult.notApplicable(name, "not built"));
                continue;
            }
            Path files = bench.layout(image).root();
            results.add(result(name, "size added to the base image", size(files, false)));
            results.add(result(name + " sent", "the same, compressed with gzip", size(files, true)));
        }
        return results;
    }

    private static BenchmarkResult result(String name, String description, double bytes) {
        return BenchmarkResult.ofValues(name, description, "MiB", List.of(bytes / MIB), 0.5, Goal.NONE, 0);
    }

    /** Returns the size of the files in tar format: a header block per file, then its content in whole blocks. */
    private static long size(Path folder, boolean compressed) {
        CountingStream counter = new CountingStream();
        try (Stream<Path> files = Files.walk(folder); OutputStream out = compressed ? new GZIPOutputStream(counter) : counter) {
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                out.write(new byte[TAR_BLOCK]);
                long length = Files.copy(file, out);
                out.write(new byte[Math.toIntExact(-length & (TAR_BLOCK - 1))]);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return counter.count;
    }

    private static final class CountingStream extends OutputStream {

        private long count;

        @Override
        public void write(int value) {
            count++;
        }

        @Override
        public void write(byte[] bytes, int offset, int length) {
            count += length;
        }
    }
}
