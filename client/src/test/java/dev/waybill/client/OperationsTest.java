package dev.waybill.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.QueryParam;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.yaml.snakeyaml.Yaml;

import com.fasterxml.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;

/** Compares the clients with the OpenAPI descriptions of the services. */
class OperationsTest {

    private static final Path DESCRIPTIONS = Path.of(System.getProperty("waybill.root"), "docs", "openapi");

    /** Operations without a method, by operation id: other programs than applications in Java call them. */
    private static final Map<String, String> NOT_IN_CLIENTS = Map.of(
            "receive_push", "the code-hosting provider calls it",
            "receive_integration_push", "the code-hosting provider calls it",
            "export_spans", "exporters of OpenTelemetry call it",
            "send_thread_command", "the SDKs' threads.stream calls it",
            "stream_thread_events", "the SDKs' threads.stream calls it");

    /** Members of a request without a component: the runtime ignores them, or rejects them when they are set. */
    private static final Set<String> NOT_IN_RUN_REQUEST = Set.of("on_completion", "if_not_exists", "multitask_strategy",
            "interrupt_before", "interrupt_after", "checkpoint", "checkpoint_id", "checkpoint_during", "durability");

    static Stream<Map.Entry<String, List<Class<?>>>> services() {
        return Map.<String, List<Class<?>>> of(
                "control-plane", List.of(ControlPlaneClient.class),
                "export-service", List.of(ExportClient.class),
                "experiment-service", List.of(ExperimentClient.class, TraceClient.class),
                "deployment-runtime",
                List.of(DeploymentClient.class, AssistantClient.class, CronClient.class, ThreadClient.class)).entrySet()
                .stream();
    }

    @ParameterizedTest
    @MethodSource("services")
    void clientsHaveExactlyTheDescribedOperations(Map.Entry<String, List<Class<?>>> service) throws IOException {
        Set<String> described = described(service.getKey());

        Set<String> implemented = service.getValue().stream()
                .flatMap(type -> Arrays.stream(type.getMethods())
                        .filter(method -> !method.isDefault()).map(method -> operation(type, method)))
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(implemented).isEqualTo(described);
    }

    @Test
    void recordsOfRunsHaveExactlyTheDescribedMembers() throws IOException {
        assertThat(members(RunRequest.class)).isEqualTo(schema("CreateRunRequest").stream()
                .filter(member -> !NOT_IN_RUN_REQUEST.contains(member))
                .collect(Collectors.toCollection(TreeSet::new)));
        assertThat(schema("CreateRunRequest")).containsAll(NOT_IN_RUN_REQUEST);
        assertThat(members(ThreadRunRequest.class)).isEqualTo(schema("CreateThreadRunRequest").stream()
                .filter(member -> !member.equals("on_completion") && !member.equals("checkpoint_during"))
                .collect(Collectors.toCollection(TreeSet::new)));
        assertThat(members(DeploymentClient.Run.class)).isEqualTo(schema("RunResponse"));
        assertThat(members(DeploymentClient.RunSelection.class)).isEqualTo(schema("CancelRunsRequest"));
        assertThat(members(DeploymentClient.RunFailure.class)).isEqualTo(schema("RunError"));
        assertThat(members(DeploymentClient.Info.class)).isEqualTo(schema("InfoResponse"));
    }

    @Test
    void recordsOfAssistantsHaveExactlyTheDescribedMembers() throws IOException {
        assertThat(members(AssistantClient.Assistant.class)).isEqualTo(schema("AssistantResponse"));
        assertThat(members(AssistantClient.NewAssistant.class)).isEqualTo(schema("CreateAssistantRequest"));
        assertThat(members(AssistantClient.AssistantChange.class)).isEqualTo(schema("UpdateAssistantRequest"));
        assertThat(members(AssistantClient.Version.class)).isEqualTo(schema("LatestVersionRequest"));
        assertThat(members(AssistantClient.VersionFilter.class)).isEqualTo(schema("SearchVersionsRequest"));
        assertThat(members(AssistantClient.AssistantSchemas.class)).isEqualTo(schema("AssistantSchemasResponse"));
        assertThat(members(AssistantClient.AssistantFilter.class)).isEqualTo(schema("SearchAssistantsRequest"));
    }

    @Test
    void recordsOfCronsHaveTheDescribedMembers() throws IOException {
        assertThat(members(CronClient.Cron.class)).isEqualTo(schema("CronResponse"));
        assertThat(members(CronClient.NewCron.class)).isEqualTo(schemaWithout("CreateCronRequest", "checkpoint_during"));
        assertThat(members(CronClient.CronChange.class)).isEqualTo(schema("UpdateCronRequest"));
        assertThat(members(CronClient.CronFilter.class)).isEqualTo(schema("SearchCronsRequest"));
    }

    @Test
    void recordsOfThreadsAndItemsHaveTheDescribedMembers() throws IOException {
        assertThat(members(ThreadClient.NewThread.class)).isEqualTo(schema("CreateThreadRequest"));
        assertThat(members(ThreadClient.ThreadChange.class)).isEqualTo(schema("UpdateThreadRequest"));
        assertThat(members(ThreadClient.ThreadFilter.class)).isEqualTo(schemaWithout("SearchThreadsRequest", "extract"));
        assertThat(members(ThreadClient.Thread.class)).isEqualTo(schema("ThreadResponse"));
        assertThat(members(ThreadClient.ThreadPruning.class)).isEqualTo(schema("PruneThreadsRequest"));
        assertThat(members(ThreadClient.PrunedThreads.class)).isEqualTo(schema("PruneThreadsResponse"));
        assertThat(members(ThreadClient.NewItem.class)).isEqualTo(schemaWithout("PutItemRequest", "index"));
        assertThat(members(ThreadClient.ItemKey.class)).isEqualTo(schema("DeleteItemRequest"));
        assertThat(members(ThreadClient.ItemFilter.class)).isEqualTo(schemaWithout("SearchItemsRequest", "query"));
        assertThat(members(ThreadClient.NamespaceFilter.class)).isEqualTo(schema("SearchNamespacesRequest"));
        assertThat(members(ThreadClient.Item.class)).isEqualTo(schema("ItemResponse"));
        assertThat(members(ThreadClient.Items.class)).isEqualTo(schema("ItemsResponse"));
        assertThat(members(ThreadClient.Namespaces.class)).isEqualTo(schema("NamespacesResponse"));
    }

    @Test
    void recordsOfStatesHaveExactlyTheDescribedMembers() throws IOException {
        assertThat(members(ThreadClient.Checkpoint.class)).isEqualTo(schema("CheckpointRequest"));
        assertThat(members(ThreadClient.ThreadState.class)).isEqualTo(schema("StateResponse"));
        assertThat(members(ThreadClient.StateSelection.class)).isEqualTo(schema("ReadStateRequest"));
        assertThat(members(ThreadClient.StateUpdate.class)).isEqualTo(schema("UpdateStateRequest"));
        assertThat(members(ThreadClient.UpdatedState.class)).isEqualTo(schema("UpdatedStateResponse"));
        assertThat(members(ThreadClient.StateFilter.class)).isEqualTo(schema("StateHistoryRequest"));
    }

    /** Returns the members of a request but one, which the runtime ignores, or rejects when it is set. */
    private static Set<String> schemaWithout(String name, String member) throws IOException {
        Set<String> members = schema(name);
        assertThat(members.remove(member)).isTrue();
        return members;
    }

    private static Set<String> described(String service) throws IOException {
        Set<String> operations = new TreeSet<>();
        Map<String, Map<String, Object>> paths = child(description(service), "paths");
        paths.forEach((path, methods) -> methods.forEach((method, operation) -> {
            if (operation instanceof Map<?, ?> described && !NOT_IN_CLIENTS.containsKey(described.get("operationId"))) {
                operations.add(method.toUpperCase(java.util.Locale.ROOT) + " " + path + " " + query(described));
            }
        }));
        return operations;
    }

    private static Set<String> query(Map<?, ?> operation) {
        Set<String> names = new TreeSet<>();
        if (operation.get("parameters") instanceof List<?> parameters) {
            for (Object parameter : parameters) {
                Map<?, ?> described = (Map<?, ?>) parameter;
                if ("query".equals(described.get("in"))) {
                    names.add((String) described.get("name"));
                }
            }
        }
        return names;
    }

    private static String operation(Class<?> type, Method method) {
        String base = type.getAnnotation(jakarta.ws.rs.Path.class).value().replaceFirst("/$", "");
        jakarta.ws.rs.Path path = method.getAnnotation(jakarta.ws.rs.Path.class);
        String verb = Arrays.stream(method.getAnnotations())
                .map(annotation -> annotation.annotationType().getAnnotation(HttpMethod.class))
                .filter(java.util.Objects::nonNull)
                .map(HttpMethod::value)
                .collect(Collectors.joining());
        return verb + " " + base + (path == null ? "" : path.value()) + " " + query(method);
    }

    private static Set<String> query(Method method) {
        Set<String> names = new TreeSet<>();
        for (Annotation[] annotations : method.getParameterAnnotations()) {
            for (Annotation annotation : annotations) {
                if (annotation instanceof QueryParam parameter) {
                    names.add(parameter.value());
                }
            }
        }
        return names;
    }

    private static Set<String> members(Class<?> type) {
        return Arrays.stream(type.getRecordComponents())
                .map(RecordComponent::getName)
                .map(new SnakeCaseStrategy()::translate)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> schema(String name) throws IOException {
        Map<String, Object> components = child(description("deployment-runtime"), "components");
        Map<String, Object> schema = child(child(components, "schemas"), name);
        return new TreeSet<>(OperationsTest.<Map<String, Object>> child(schema, "properties").keySet());
    }

    private static Map<String, Object> description(String service) throws IOException {
        return new Yaml().load(Files.readString(DESCRIPTIONS.resolve(service + ".yaml")));
    }

    @SuppressWarnings("unchecked")
    private static <T> T child(Map<String, ?> parent, String name) {
        return (T) parent.get(name);
    }
}
