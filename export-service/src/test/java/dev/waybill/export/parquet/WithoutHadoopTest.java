package dev.waybill.export.parquet;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Test;

import dev.waybill.export.trace.BinaryRows;
import dev.waybill.export.trace.RunColumn;

/** Tests that files are written without Hadoop on the class path, as in the service. */
class WithoutHadoopTest {

    @Test
    void everyCodecWorksWithoutHadoopClasses() throws Exception {
        String classPath = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> !entry.contains("hadoop-client"))
                .collect(Collectors.joining(File.pathSeparator));
        Process process = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xlog:class+load", "-Xmx128m", "--enable-native-access=ALL-UNNAMED", "-cp", classPath, Main.class.getName())
                .redirectErrorStream(true)
                .start();

        String output = new String(process.getInputStream().readAllBytes(), UTF_8);

        assertThat(process.waitFor()).as(() -> output.lines().filter(line -> !line.contains("[class,load]"))
                .collect(Collectors.joining("\n"))).isZero();
        assertThat(output).contains("org.apache.parquet.hadoop.ParquetFileWriter")
                .doesNotContain("org.apache.hadoop.");
    }

    /** The program of the other JVM. */
    static final class Main {

        private Main() {
        }

        public static void main(String[] args) throws IOException {
            for (Compression compression : Compression.values()) {
                for (FormatVersion version : FormatVersion.values()) {
                    var schema = ExportSchema.of(ExportField.defaults(), version);
                    var session = new ExportedSession(new UUID(0, 1), new UUID(0, 2), null);
                    try (var writer = new ParquetRunWriter(schema, session, FileSettings.of(compression, "1.2.3", Map.of()),
                            index -> OutputStream.nullOutputStream())) {
                        writer.row(BinaryRows.of(Map.of(RunColumn.ID, new UUID(0, 3), RunColumn.TRACE_ID, new UUID(0, 3),
                                RunColumn.START_TIME, Instant.EPOCH, RunColumn.INPUTS, "{}")));
                        writer.finish(1);
                    }
                }
            }
        }
    }
}
