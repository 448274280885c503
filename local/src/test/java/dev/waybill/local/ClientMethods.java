package dev.waybill.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * The table of docs/clients.md about one client: which of its methods work. Compares method names but not error messages, which
 * may change with a patch version of the client.
 */
final class ClientMethods {

    private static final Path FILE = RunningStack.root().resolve("docs/clients.md");
    private static final String NOT_PART = "not part of Waybill";

    /** The reasons why methods do not work, by prefix of their name or by area; the first match applies. */
    private static final Map<String, String> REASONS = reasons();

    private ClientMethods() {
    }

    private static Map<String, String> reasons() {
        Map<String, String> reasons = new LinkedHashMap<>();
        reasons.put("upload_csv", "upload the rows as examples");
        reasons.put("uploadCsv", "upload the rows as examples");
        reasons.put("upload_dataframe", "upload the rows as examples");
        reasons.put("read_dataset_openai_finetuning", "no file format of a vendor is written");
        reasons.put("readDatasetOpenaiFinetuning", "no file format of a vendor is written");
        reasons.put("clone_public_dataset", "nothing is public");
        reasons.put("clonePublicDataset", "nothing is public");
        reasons.put("upsert_examples_multipart", "the server must announce an operation that newer clients do not call");
        reasons.put("create_comparative_experiment", "compare with `POST /datasets/{id}/comparison`");
        reasons.put("createComparativeExperiment", "compare with `POST /datasets/{id}/comparison`");
        reasons.put("listGroupRuns", "use threads");
        reasons.put("runs.get_url", "use `get_run_url`");
        reasons.put("runs.getURL", "use `getRunUrl`");
        reasons.put("runs.streaming", "pages are not streamed");
        reasons.put("threads.streaming", "pages are not streamed");
        reasons.put("runs.share", "nothing is public");
        reasons.put("threads.share", "nothing is public");
        reasons.put("threads.stats", "use `threads.query`, which has them");
        reasons.put("threads.aggregateStats", "use the statistics of runs");
        reasons.put("traces.", "use `runs.query` with `is_root` or `trace_id`");
        reasons.put("datasets.listV2", "use version 1");
        reasons.put("sessions.listV2", "use version 1");
        reasons.put("Sharing", "nothing is public");
        reasons.put("Versions and splits of datasets", "earlier versions are not stored; splits are members of examples");
        reasons.put("Feedback without a key", "feedback needs a key");
        reasons.put("Configurations of feedback", "a configuration is stored with each feedback");
        for (String area : List.of("Annotation queues", "Prompts, agents and skills", "Insights and issues", "annotation",
                "evaluators", "agents", "sandboxes", "public")) {
            reasons.put(area, NOT_PART);
        }
        return reasons;
    }

    /**
     * Compares the results of a program that called all methods with the page.
     *
     * @param client the name of the client
     * @param found the version and, by area, the methods with their problem or null
     */
    static void assertDocumented(String client, JsonNode found) throws IOException {
        assertThat(problems(found)).as("the program calls a method incorrectly")
                .doesNotContainPattern(": (TypeError|AttributeError|NameError|ReferenceError|UnboundLocalError)");
        String begin = "<!-- " + client + ": generated -->\n";
        String end = "<!-- " + client + ": end -->\n";
        String file = Files.readString(FILE);
        int from = file.indexOf(begin) + begin.length();
        int to = file.indexOf(end);
        assertThat(to).as("the table of " + client + " in " + FILE).isGreaterThanOrEqualTo(from);
        String table = table(found);
        if (Boolean.getBoolean("clients.update")) {
            Files.writeString(FILE, file.substring(0, from) + table + file.substring(to));
            return;
        }
        assertThat(file.substring(from, to))
                .as("docs/clients.md is not current; if the change is meant, run the test with -Dclients.update=true. Problems: "
                        + problems(found))
                .isEqualTo(table);
    }

    private static String table(JsonNode found) {
        String version = found.get("version").textValue();
        StringBuilder table = new StringBuilder("Called with version ").append(version, 0, version.lastIndexOf('.'))
                .append(".\n\n| area | works | does not work |\n|---|---|---|\n");
        for (JsonNode area : found.get("areas")) {
            table.append("| ").append(area.get("area").textValue()).append(" | ").append(working(area)).append(" | ")
                    .append(failing(area)).append(" |\n");
        }
        return table.toString();
    }

    private static String working(JsonNode area) {
        return area.get("methods").valueStream()
                .filter(method -> method.get("problem").isNull())
                .map(method -> "`" + method.get("method").textValue() + "`")
                .collect(Collectors.joining(", "));
    }

    private static String failing(JsonNode area) {
        Map<String, List<String>> byReason = new LinkedHashMap<>();
        for (JsonNode method : area.get("methods")) {
            if (!method.get("problem").isNull()) {
                byReason.computeIfAbsent(reason(area.get("area").textValue(), method), reason -> new ArrayList<>())
                        .add("`" + method.get("method").textValue() + "`");
            }
        }
        return byReason.entrySet().stream()
                .map(methods -> String.join(", ", methods.getValue()) + ": " + methods.getKey())
                .collect(Collectors.joining("; "));
    }

    private static String reason(String area, JsonNode method) {
        String name = method.get("method").textValue();
        return REASONS.entrySet().stream()
                .filter(reason -> name.startsWith(reason.getKey()) || area.equals(reason.getKey()))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElseThrow(
                        () -> new AssertionError(name + " fails without a known reason: " + method.get("problem")));
    }

    private static String problems(JsonNode found) {
        return found.get("areas").valueStream()
                .flatMap(area -> area.get("methods").valueStream())
                .filter(method -> !method.get("problem").isNull())
                .map(method -> method.get("method").textValue() + ": " + method.get("problem").textValue())
                .collect(Collectors.joining("\n", "\n", ""));
    }
}
