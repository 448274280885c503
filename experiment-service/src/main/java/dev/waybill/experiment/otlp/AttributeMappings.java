package dev.waybill.experiment.otlp;

import static dev.waybill.experiment.otlp.AttributeMappings.Target.COMPLETION_COST;
import static dev.waybill.experiment.otlp.AttributeMappings.Target.COMPLETION_TOKENS;
import static dev.waybill.experiment.otlp.AttributeMappings.Target.INPUTS;
import static dev.waybill.experiment.otlp.AttributeMappings.Target.INPUT_MESSAGES;
import static dev.waybill.experiment.otlp.AttributeMappings.Target.INVOCATION_PARAMETERS;
import static dev.waybill.experiment.otlp.AttributeMappings.Target.METADATA;
import static dev.waybill.experiment.otlp.AttributeMappings.Target.NAME;
import static dev.waybill.experiment.otlp.AttributeMappings.Target.OUTPUTS;
import static dev.waybill.experiment.otlp.AttributeMappings.Target.OUTPUT_DOCUMENTS;
import static dev.waybill.experiment.otlp.AttributeMappings.Target.OUTPUT_MESSAGES;
import static dev.waybill.experiment.otlp.AttributeMappings.Target.OUTPUT_TEXT;
import static dev.waybill.experiment.otlp.AttributeMappings.Target.OUTPUT_TOOL_CALLS;
import static dev.waybill.experiment.otlp.AttributeMappings.Target.PROMPT_COST;
import static dev.waybill.experiment.otlp.AttributeMappings.Target.PROMPT_TOKENS;
import static dev.waybill.experiment.otlp.AttributeMappings.Target.REFERENCE_EXAMPLE;
import static dev.waybill.experiment.otlp.AttributeMappings.Target.RUN_TYPE;
import static dev.waybill.experiment.otlp.AttributeMappings.Target.SESSION_NAME;
import static dev.waybill.experiment.otlp.AttributeMappings.Target.SYSTEM_INSTRUCTIONS;
import static dev.waybill.experiment.otlp.AttributeMappings.Target.TAGS;
import static dev.waybill.experiment.otlp.AttributeMappings.Target.TIME_TO_FIRST_TOKEN;
import static dev.waybill.experiment.otlp.AttributeMappings.Target.TOTAL_COST;
import static dev.waybill.experiment.otlp.AttributeMappings.Target.TOTAL_TOKENS;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

/**
 * Maps attributes to members of runs: the GenAI conventions, old and new, OpenInference, OpenLLMetry, the AI SDK and
 * LangSmith. The first present attribute sets a member. docs/otlp.md contains this table; a test compares the two.
 */
final class AttributeMappings {

    /** In order of precedence. */
    static final List<AttributeMapping> MAPPINGS = new Builder()
            .of(NAME, "langsmith.trace.name", "traceloop.entity.name", "ai.toolCall.name")
            .of(RUN_TYPE, "langsmith.span.kind", "openinference.span.kind", "gen_ai.operation.name", "ai.operationId",
                    "traceloop.span.kind", "llm.request.type", "embedding.model_name", "gen_ai.request.model",
                    "llm.model_name", "gen_ai.tool.name")
            .of(SESSION_NAME, "langsmith.trace.session_name", "openinference.project.name")
            .of(INPUT_MESSAGES, "gen_ai.input.messages", "gen_ai.prompt.*", "llm.input_messages.*", "ai.prompt.messages")
            .of(SYSTEM_INSTRUCTIONS, "gen_ai.system_instructions")
            .of(INPUTS, "gen_ai.prompt", "gen_ai.tool.call.arguments", "input.value", "traceloop.entity.input", "ai.prompt",
                    "ai.toolCall.args", "ai.value", "ai.values")
            .of(OUTPUT_MESSAGES, "gen_ai.output.messages", "gen_ai.completion.*", "llm.output_messages.*")
            .of(OUTPUT_TEXT, "ai.response.text")
            .of(OUTPUT_TOOL_CALLS, "ai.response.toolCalls")
            .of(OUTPUT_DOCUMENTS, "gen_ai.retrieval.documents", "retrieval.documents.*")
            .of(OUTPUTS, "gen_ai.completion", "gen_ai.tool.call.result", "output.value", "traceloop.entity.output",
                    "ai.response.object", "ai.toolCall.result", "ai.embedding", "ai.embeddings")
            .of(PROMPT_TOKENS, "gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens", "llm.token_count.prompt",
                    "llm.usage.prompt_tokens", "ai.usage.inputTokens", "ai.usage.promptTokens", "ai.usage.tokens")
            .of(COMPLETION_TOKENS, "gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens",
                    "llm.token_count.completion", "llm.usage.completion_tokens", "ai.usage.outputTokens",
                    "ai.usage.completionTokens")
            .of(TOTAL_TOKENS, "gen_ai.usage.total_tokens", "llm.token_count.total", "llm.usage.total_tokens",
                    "ai.usage.totalTokens")
            .of(PROMPT_COST, "llm.cost.prompt", "gen_ai.usage.input_cost")
            .of(COMPLETION_COST, "llm.cost.completion", "gen_ai.usage.output_cost")
            .of(TOTAL_COST, "llm.cost.total", "gen_ai.usage.total_cost", "gen_ai.usage.cost")
            .of(TIME_TO_FIRST_TOKEN, "gen_ai.response.time_to_first_chunk",
                    "gen_ai.client.operation.time_to_first_chunk")
            .of(REFERENCE_EXAMPLE, "langsmith.reference_example_id")
            .of(TAGS, "langsmith.span.tags", "tag.tags")
            .named(METADATA, "thread_id", "gen_ai.conversation.id", "session.id")
            .named(METADATA, "session_id", "langsmith.trace.session_id", "session.id")
            .named(METADATA, "user_id", "user.id", "enduser.id")
            .named(METADATA, "ls_provider", "gen_ai.provider.name", "gen_ai.system", "llm.provider", "llm.system",
                    "ai.model.provider")
            .named(METADATA, "ls_model_name", "gen_ai.response.model", "gen_ai.request.model", "llm.model_name",
                    "embedding.model_name", "ai.response.model", "ai.model.id")
            .named(METADATA, "ls_temperature", "gen_ai.request.temperature")
            .named(METADATA, "ls_max_tokens", "gen_ai.request.max_tokens")
            .named(METADATA, "finish_reasons", "gen_ai.response.finish_reasons", "llm.finish_reason",
                    "ai.response.finishReason")
            .named(METADATA, "agent_name", "gen_ai.agent.name", "agent.name", "ai.telemetry.functionId")
            .named(METADATA, "tool_name", "gen_ai.tool.name", "tool.name", "ai.toolCall.name")
            .named(METADATA, "service_name", "service.name")
            .named(METADATA, "environment", "deployment.environment.name", "deployment.environment")
            .of(METADATA, "metadata", "langsmith.metadata.*", "traceloop.association.properties.*", "ai.telemetry.metadata.*")
            .named(INVOCATION_PARAMETERS, "tools", "gen_ai.tool.definitions", "ai.prompt.tools")
            .of(INVOCATION_PARAMETERS, "llm.invocation_parameters", "gen_ai.request.*", "ai.settings.*")
            .mappings();

    private static final Map<String, Set<String>> RUN_TYPES = Map.of(
            "llm",
            Set.of("llm", "chat", "completion", "text_completion", "generate_content", "ai.generatetext.dogenerate",
                    "ai.streamtext.dostream", "ai.generateobject.dogenerate", "ai.streamobject.dostream"),
            "tool", Set.of("tool", "execute_tool", "ai.toolcall"),
            "retriever", Set.of("retriever", "retrieval", "reranker", "rerank"),
            "embedding", Set.of("embedding", "embeddings", "ai.embed.doembed", "ai.embedmany.doembed"),
            "prompt", Set.of("prompt"),
            "parser", Set.of("parser"),
            "chain",
            Set.of("chain", "agent", "create_agent", "invoke_agent", "invoke_workflow", "agent_step", "workflow", "task",
                    "guardrail", "evaluator", "unknown", "ai.generatetext", "ai.streamtext", "ai.generateobject",
                    "ai.streamobject", "ai.embed", "ai.embedmany"));

    // Attributes whose presence implies the run type.
    private static final Map<String, String> RUN_TYPES_BY_PRESENCE = Map.of("gen_ai.request.model", "llm", "llm.model_name",
            "llm",
            "embedding.model_name", "embedding", "gen_ai.tool.name", "tool");

    /** Events whose time is that of the first token. */
    static final Set<String> FIRST_TOKEN_EVENTS = Set.of("new_token", "First Token Stream Event",
            "llm.content.completion.chunk", "ai.stream.firstChunk");

    /** The event with a model's response. */
    static final String CHOICE_EVENT = "gen_ai.choice";

    /** Events that are messages, with their default roles. */
    static final Map<String, String> MESSAGE_EVENTS = Map.of("gen_ai.system.message", "system", "gen_ai.user.message", "user",
            "gen_ai.assistant.message", "assistant", "gen_ai.tool.message", "tool", CHOICE_EVENT, "assistant");

    private AttributeMappings() {
    }

    /** Returns the run type for the attribute's value; null if the value is unknown. */
    static @Nullable String runType(String attribute, String value) {
        String present = RUN_TYPES_BY_PRESENCE.get(attribute);
        if (present != null) {
            return present;
        }
        String name = value.toLowerCase(java.util.Locale.ROOT);
        return RUN_TYPES.entrySet().stream()
                .filter(runType -> runType.getValue().contains(name))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse(null);
    }

    /** Returns the table as Markdown. */
    static String markdown() {
        StringBuilder text = new StringBuilder("| attribute | becomes |\n|---|---|\n");
        MAPPINGS.forEach(mapping -> text.append("| `").append(mapping.attribute()).append("` | ").append(mapping.describe())
                .append(" |\n"));
        text.append("\n| `run_type` | values of the attribute above |\n|---|---|\n");
        new TreeMap<>(RUN_TYPES).forEach((runType, values) -> text.append("| `").append(runType).append("` | ")
                .append(String.join(", ", values.stream().sorted().toList())).append(presence(runType)).append(" |\n"));
        return text.toString();
    }

    private static String presence(String runType) {
        List<String> attributes = RUN_TYPES_BY_PRESENCE.entrySet().stream()
                .filter(entry -> entry.getValue().equals(runType))
                .map(entry -> "`" + entry.getKey() + "`")
                .sorted()
                .toList();
        return attributes.isEmpty() ? "" : "; any value of " + String.join(", ", attributes);
    }

    /** Builds the rows. */
    private static final class Builder {

        private final List<AttributeMapping> mappings = new ArrayList<>();

        Builder of(Target target, String... attributes) {
            for (String attribute : attributes) {
                mappings.add(new AttributeMapping(attribute, target, null));
            }
            return this;
        }

        Builder named(Target target, String name, String... attributes) {
            for (String attribute : attributes) {
                mappings.add(new AttributeMapping(attribute, target, name));
            }
            return this;
        }

        List<AttributeMapping> mappings() {
            return List.copyOf(mappings);
        }
    }

    /**
     * One row of the mapping table: an attribute and its target in a run.
     *
     * @param attribute the attribute's name; {@code .*} at its end matches all names with this prefix
     * @param target the member of the run
     * @param name for metadata and parameters the member's name; null if it is the rest of the attribute's name, or the members
     *        are those of the value, an object
     */
    record AttributeMapping(String attribute, Target target, @Nullable String name) {

        /** Returns whether it matches all attributes with {@link #prefix()}. */
        boolean isPrefix() {
            return attribute.endsWith(".*");
        }

        /** Returns whether its strings are JSON, including strings within. */
        boolean isJson() {
            return attribute.startsWith("ai.") || attribute.startsWith("traceloop.entity.");
        }

        /** Returns the prefix of the matched names, with the dot. */
        String prefix() {
            return attribute.substring(0, attribute.length() - 1);
        }

        /** Describes the target for the documentation. */
        String describe() {
            if (name != null) {
                return "`" + target.description().replace("`", "") + "." + name + "`";
            }
            return switch (target) {
                case METADATA, INVOCATION_PARAMETERS -> target.description()
                        + (isPrefix() ? ", under the rest of the name" : ": the members of a JSON object");
                case INPUT_MESSAGES, OUTPUT_MESSAGES, OUTPUT_DOCUMENTS -> target.description()
                        + (isPrefix() ? ", assembled by index" : "");
                default -> target.description();
            };
        }
    }

    /** The member of a run that an attribute is mapped to. */
    enum Target {
        NAME("`name`"),
        RUN_TYPE("`run_type`"),
        SESSION_NAME("`session_name`"),
        INPUTS("`inputs`: a JSON object unchanged, else `{\"input\": …}`"),
        INPUT_MESSAGES("`inputs.messages`"),
        SYSTEM_INSTRUCTIONS("`inputs.messages`, the first one, with the role `system`"),
        OUTPUTS("`outputs`: a JSON object unchanged, else `{\"output\": …}`"),
        OUTPUT_MESSAGES("`outputs.messages`"),
        OUTPUT_TEXT("`outputs.messages`: the content of one message"),
        OUTPUT_TOOL_CALLS("`outputs.messages`: the tool calls of one message"),
        OUTPUT_DOCUMENTS("`outputs.documents`"),
        PROMPT_TOKENS("`prompt_tokens`"),
        COMPLETION_TOKENS("`completion_tokens`"),
        TOTAL_TOKENS("`total_tokens`"),
        PROMPT_COST("`prompt_cost`"),
        COMPLETION_COST("`completion_cost`"),
        TOTAL_COST("`total_cost`"),
        TIME_TO_FIRST_TOKEN("`first_token_time`, in seconds after the start"),
        REFERENCE_EXAMPLE("`reference_example_id`"),
        TAGS("`tags`; text is split at commas"),
        METADATA("`extra.metadata`"),
        INVOCATION_PARAMETERS("`extra.invocation_params`");

        private final String description;

        Target(String description) {
            this.description = description;
        }

        /** Returns the description for the documentation. */
        String description() {
            return description;
        }
    }
}
