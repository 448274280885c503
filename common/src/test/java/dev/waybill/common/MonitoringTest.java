package dev.waybill.common;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;

import dev.waybill.common.testing.PromQl;

/**
 * Compares k8s/monitoring, the metrics reference and the code: panels and alerts use documented metrics only, and exactly the
 * documented metrics are registered by a service.
 */
class MonitoringTest {

    private static final Path ROOT = Path.of(System.getProperty("waybill.root"));
    private static final Path MONITORING = ROOT.resolve("k8s/monitoring");
    private static final Pattern METRIC = Pattern.compile("\\b(?:waybill|http|jvm|process)_[a-z_]+");
    private static final Pattern MATCHER = Pattern
            .compile("([a-z_]+)\\{([^}]*)}");
    private static final Pattern VALUE = Pattern.compile("([a-z_]+)\\s*(=~|=|!=)\\s*\"([^\"]*)\"");
    private static final Pattern ROW = Pattern
            .compile("\\| `((?:waybill|http|jvm|process)_[a-z_]+)` \\| (?:counter|gauge|timer) \\| (.*) \\|");
    private static final Pattern RUNBOOK = Pattern
            .compile("(?m)^\\| `(Waybill[A-Za-z]+)` \\| (page|ticket) \\| [^|]+ \\| [^|]+ \\|$");
    private static final Pattern REGISTERED = Pattern.compile("\"(waybill(?:[._][a-z]+)+)\"");

    @Test
    void alertsAndPanelsUseDocumentedMetrics() {
        Map<String, String> documented = documented();

        assertThat(expressions()).hasSizeGreaterThan(40).allSatisfy(expression -> {
            List<String> metrics = METRIC.matcher(expression).results().map(found -> base(found.group(), documented.keySet()))
                    .toList();
            assertThat(metrics).as(expression).isNotEmpty().allSatisfy(metric -> assertThat(documented).containsKey(metric));
        });
    }

    @Test
    void alertsAndPanelsUseDocumentedLabels() {
        Map<String, String> documented = documented();

        assertThat(expressions()).allSatisfy(expression -> {
            for (Matcher selector = MATCHER.matcher(expression); selector.find();) {
                String row = documented.get(base(selector.group(1), documented.keySet()));
                for (Matcher value = VALUE.matcher(selector.group(2)); value.find();) {
                    assertThat(row).as(expression).contains("`" + value.group(1) + "`");
                    Arrays.stream(value.group(3).split("\\|")).filter(word -> word.matches("[a-z_.]*[a-z_]{3,}"))
                            .forEach(word -> assertThat(row + errors()).as(expression).contains(word));
                }
            }
        });
    }

    @Test
    void alertsHaveSeverityAndAdvice() throws IOException {
        JsonNode rules = alerts().at("/groups/0/rules");

        assertThat(rules).hasSizeGreaterThan(10).allSatisfy(rule -> {
            assertThat(rule.path("alert").asText()).startsWith("Waybill");
            assertThat(rule.at("/labels/severity").asText()).isIn("page", "ticket");
            assertThat(rule.at("/annotations/summary").asText()).isNotBlank();
            assertThat(rule.at("/annotations/description").asText()).isNotBlank();
        });
        assertThat(rules.findValuesAsText("alert")).doesNotHaveDuplicates();
    }

    @Test
    void expressionsAreValidPromQl() {
        assertThat(expressions()).allSatisfy(expression -> PromQl.check(expression.replace("$__rate_interval", "5m")));
    }

    @Test
    void runbookListsExactlyTheAlerts() throws IOException {
        Map<String, String> alerts = new TreeMap<>();
        alerts().at("/groups/0/rules")
                .forEach(rule -> alerts.put(rule.path("alert").asText(), rule.at("/labels/severity").asText()));
        Map<String, String> documented = new TreeMap<>();
        RUNBOOK.matcher(reference()).results().forEach(row -> documented.put(row.group(1), row.group(2)));

        assertThat(documented).isEqualTo(alerts);
    }

    /** Export lag, failed runs, lost leases, 5xx, a stuck revision, rejections by the intake, and the lake. */
    @Test
    void essentialMetricsHaveAnAlert() throws IOException {
        assertThat(alerts().findValuesAsText("expr")).asString().contains("waybill_export_queue_age_seconds",
                "waybill_export_lag_seconds", "waybill_export_attempts_total", "waybill_leases_lost_total",
                "status=~\"5..\"", "waybill_rollout_longest_step_seconds", "waybill_intake_rejected_total",
                "waybill_lake_queue_age_seconds", "waybill_lake_compactions_total", "waybill_lake_tables_failing",
                "waybill_lake_fetch_failures_total", "waybill_summaries_lag_seconds");
    }

    @Test
    void metricsOfTheLakeHaveAPanel() throws IOException {
        List<String> metrics = documented().keySet().stream()
                .filter(name -> name.startsWith("waybill_lake_") || name.startsWith("waybill_summaries_"))
                .filter(name -> !name.equals("waybill_lake_rows_total"))
                .toList();

        assertThat(dashboard().findValuesAsText("expr")).asString().contains(metrics);
    }

    @Test
    void documentedMetricsAreExactlyTheRegisteredOnes() {
        Set<String> documented = documented().keySet().stream().filter(name -> name.startsWith("waybill_"))
                .map(MonitoringTest::withoutUnit).collect(Collectors.toCollection(TreeSet::new));

        assertThat(registered()).isEqualTo(documented);
    }

    @Test
    void panelsDoNotOverlap() throws IOException {
        Set<String> occupied = new TreeSet<>();
        for (JsonNode panel : dashboard().path("panels")) {
            JsonNode position = panel.path("gridPos");
            for (int x = position.path("x").asInt(); x < position.path("x").asInt() + position.path("w").asInt(); x++) {
                for (int y = position.path("y").asInt(); y < position.path("y").asInt() + position.path("h").asInt(); y++) {
                    assertThat(occupied.add(x + "," + y)).as(panel.path("title").asText()).isTrue();
                }
            }
        }
    }

    private static List<String> expressions() {
        try {
            List<String> expressions = new ArrayList<>(alerts().findValuesAsText("expr"));
            expressions.addAll(dashboard().findValuesAsText("expr"));
            return expressions;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static JsonNode alerts() throws IOException {
        return new YAMLMapper().readTree(MONITORING.resolve("alerts.yml").toFile());
    }

    private static JsonNode dashboard() throws IOException {
        return new ObjectMapper().readTree(MONITORING.resolve("dashboard.json").toFile());
    }

    /** Returns the description of each metric in the reference. */
    private static Map<String, String> documented() {
        Map<String, String> documented = new TreeMap<>();
        ROW.matcher(reference()).results().forEach(row -> documented.put(row.group(1), row.group(2)));
        return documented;
    }

    /** Returns the sentence with the failure codes. */
    private static String errors() {
        return reference().lines().dropWhile(line -> !line.startsWith("`code` has the values")).limit(5)
                .collect(Collectors.joining());
    }

    private static String reference() {
        Path pages = ROOT.resolve("docs/operations");
        try (Stream<Path> files = Files.list(pages)) {
            return Stream.concat(Stream.of(ROOT.resolve("docs/operations.md")), files.sorted())
                    .map(MonitoringTest::read).collect(Collectors.joining("\n"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the documented name; a timer is documented once and scraped as several series. */
    private static String base(String scraped, Set<String> documented) {
        return documented.contains(scraped) ? scraped : scraped.replaceFirst("_(count|sum|max|bucket)$", "");
    }

    private static String withoutUnit(String name) {
        return name.replaceFirst("_total$", "").replace("waybill_rollout_steps_seconds", "waybill_rollout_steps");
    }

    /** Returns the metric names in the code of the services, as Prometheus shows them. */
    private static Set<String> registered() {
        Set<String> registered = new TreeSet<>();
        for (String module : List.of("common", "control-plane", "deployment-runtime", "experiment-service", "export-service")) {
            try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src/main/java"))) {
                files.filter(file -> file.toString().endsWith(".java")).map(MonitoringTest::read)
                        .filter(text -> text.contains("io.micrometer"))
                        .flatMap(text -> REGISTERED.matcher(text).results().map(found -> found.group(1).replace('.', '_')))
                        .forEach(registered::add);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return registered;
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
