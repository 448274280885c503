package dev.waybill.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compiles the program of docs/java-client.md. */
class JavaClientPageTest {

    private static final Pattern PROGRAM = Pattern.compile("^```java\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);

    @Test
    void programOfThePageCompiles(@TempDir Path folder) throws IOException {
        String page = Files.readString(Path.of(System.getProperty("waybill.root"), "docs", "java-client.md"));
        String program = PROGRAM.matcher(page).results().map(found -> found.group(1)).collect(Collectors.joining());
        assertThat(program).contains("void main()");
        Path source = Files.writeString(folder.resolve("Example.java"), program);
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> problems = new DiagnosticCollector<>();

        try (StandardJavaFileManager files = compiler.getStandardFileManager(problems, Locale.ROOT, null)) {
            compiler.getTask(null, files, problems,
                    List.of("-d", folder.toString(), "-cp", System.getProperty("java.class.path")), null,
                    files.getJavaFileObjects(source)).call();
        }

        assertThat(problems.getDiagnostics()).filteredOn(problem -> problem.getKind() == javax.tools.Diagnostic.Kind.ERROR)
                .isEmpty();
    }
}
