package dev.waybill.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.yaml.snakeyaml.Yaml;

/**
 * A CI pipeline from docs/ci.md.
 *
 * @param steps the steps, each run in a separate shell until one fails
 * @param shell the command of the shell
 * @param variables the variables that the pipeline sets
 */
record Pipeline(List<String> steps, List<String> shell, Map<String, String> variables) {

    private static final Pattern YAML = Pattern.compile("^```yaml\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);
    private static final Pattern PROJECT_VARIABLE = Pattern.compile("\\$\\{\\{ (?:vars|secrets)\\.(\\w+) }}");

    /** The result of a job. */
    record Result(int status, String output, String errors) {
    }

    @SuppressWarnings("unchecked")
    static Pipeline github() {
        Map<String, Object> job = (Map<String, Object>) ((Map<String, Object>) block("jobs").get("jobs")).get("deploy");
        List<String> steps = ((List<Map<String, Object>>) job.get("steps")).stream()
                .map(step -> (String) step.get("run"))
                .filter(Objects::nonNull)
                .toList();
        return new Pipeline(steps, List.of("bash", "-e"), (Map<String, String>) job.get("env"));
    }

    @SuppressWarnings("unchecked")
    static Pipeline gitlab() {
        Map<String, Object> job = (Map<String, Object>) block("deploy").get("deploy");
        return new Pipeline(List.of(String.join("\n", (List<String>) job.get("script"))), List.of("sh", "-e"), Map.of());
    }

    private static Map<String, Object> block(String member) {
        try {
            Matcher blocks = YAML.matcher(Files.readString(RunningStack.root().resolve("docs/ci.md")));
            while (blocks.find()) {
                Map<String, Object> block = new Yaml().load(blocks.group(1));
                if (block.containsKey(member)) {
                    return block;
                }
            }
            throw new AssertionError("docs/ci.md has no pipeline with " + member);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Returns the lines of the steps that contain a text. */
    Pipeline only(String text) {
        List<String> lines = steps.stream().flatMap(String::lines).filter(step -> step.contains(text)).toList();
        assertThat(lines).isNotEmpty();
        return new Pipeline(lines, shell, variables);
    }

    /** Runs the job in a folder with the variables and secrets of the project. */
    Result run(Path folder, Map<String, String> project) throws IOException, InterruptedException {
        Map<String, String> environment = new TreeMap<>(project);
        variables.forEach((name, value) -> environment.put(name, PROJECT_VARIABLE.matcher(value).replaceAll(
                found -> Matcher.quoteReplacement(Objects.requireNonNull(project.get(found.group(1)), found.group(1))))));
        Path output = folder.resolve("output.txt");
        Path errors = folder.resolve("errors.txt");
        Files.write(output, new byte[0], StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING);
        Files.write(errors, new byte[0], StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING);
        int status = 0;
        for (String step : steps) {
            List<String> command = new ArrayList<>(shell);
            command.add(Files.writeString(folder.resolve("step.sh"), step).toString());
            ProcessBuilder process = new ProcessBuilder(command).directory(folder.toFile())
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()))
                    .redirectError(ProcessBuilder.Redirect.appendTo(errors.toFile()));
            process.environment().keySet().removeIf(name -> name.startsWith("WAYBILL_") || name.startsWith("GITHUB_"));
            process.environment().putAll(new HashMap<>(environment));
            status = process.start().waitFor();
            if (status != 0) {
                break;
            }
        }
        return new Result(status, Files.readString(output, StandardCharsets.UTF_8),
                Files.readString(errors, StandardCharsets.UTF_8));
    }
}
