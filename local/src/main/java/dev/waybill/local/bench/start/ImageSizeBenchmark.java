package dev.waybill.local.bench.start;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;

import dev.waybill.local.bench.BenchmarkResult;
import dev.waybill.local.bench.Goal;

/**
 * What an image adds to the one that it is made from, as layers are kept and as they are sent. Images that others made, and
 * packages of the system, are not here to be measured.
 */
final class ImageSizeBenchmark {

    private static final double MIB = 1024 * 1024;
    private static final int TAR_BLOCK = 512;

    private final StartBenchmarkContext bench;

    ImageSizeBenchmark(StartBenchmarkContext bench) {
        this.bench = bench;
    }

    List<BenchmarkResult> measure() {
        List<BenchmarkResult> figures = new ArrayList<>();
        for (Image image : Image.all()) {
            String name = "size " + image.file();
            if (!bench.isBuilt(image)) {
                figures.add(BenchmarkResult.absent(name, "not built"));
                continue;
            }
            Path files = bench.layout(image).root();
            figures.add(figure(name, "what the image adds to its base", size(files, false)));
            figures.add(figure(name + " sent", "the same as it is sent, by gzip", size(files, true)));
        }
        return figures;
    }

    private static BenchmarkResult figure(String name, String what, double bytes) {
        return BenchmarkResult.ofValues(name, what, "MiB", List.of(bytes / MIB), 0.5, Goal.NONE, 0);
    }

    /** As tar lays files out: a block about each, then its content in whole blocks. */
    private static long size(Path folder, boolean packed) {
        CountingStream sink = new CountingStream();
        try (Stream<Path> files = Files.walk(folder); OutputStream out = packed ? new GZIPOutputStream(sink) : sink) {
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                out.write(new byte[TAR_BLOCK]);
                long length = Files.copy(file, out);
                out.write(new byte[Math.toIntExact(-length & (TAR_BLOCK - 1))]);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return sink.count;
    }

    private static final class CountingStream extends OutputStream {

        private long count;

        @Override
        public void write(int one) {
            count++;
        }

        @Override
        public void write(byte[] bytes, int offset, int length) {
            count += length;
        }
    }
}
