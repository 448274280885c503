package dev.waybill.bench.streams;

import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import dev.waybill.bench.BenchmarkOptions;
import dev.waybill.local.runtime.RuntimeProcess;

/**
 * Shared state of the stream benchmarks.
 *
 * @param root root folder of the project
 * @param folder output folder
 */
public record StreamBenchmarkContext(Path root, Path folder, BenchmarkOptions options, PrintStream out) {

    void print(String format, Object... values) {
        out.printf(Locale.ROOT, format + "%n", values);
    }

    /** Starts the runtime with the sample that has no dependencies. */
    RuntimeProcess sample(List<String> jvm, Map<String, String> properties) {
        return runtime(root.resolve("deployment-runtime/samples/java"), jvm, properties);
    }

    RuntimeProcess runtime(Path application, List<String> jvm, Map<String, String> properties) {
        return RuntimeProcess.start(root, application, log("deployment-runtime"), jvm, properties);
    }

    Path log(String name) {
        return folder.resolve(name + ".log");
    }

    Duration slot() {
        return Duration.ofSeconds(options.streamSeconds());
    }
}
