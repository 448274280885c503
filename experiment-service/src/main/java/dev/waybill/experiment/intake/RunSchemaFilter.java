package dev.waybill.experiment.intake;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.eclipse.microprofile.openapi.OASFactory;
import org.eclipse.microprofile.openapi.OASFilter;
import org.eclipse.microprofile.openapi.models.OpenAPI;
import org.eclipse.microprofile.openapi.models.media.Schema;
import org.eclipse.microprofile.openapi.models.media.Schema.SchemaType;
import org.jspecify.annotations.Nullable;

import io.quarkus.smallrye.openapi.OpenApiFilter;

/** Adds the schemas of request bodies that are parsed token by token, and so have no Java type, to the OpenAPI description. */
@OpenApiFilter(stages = OpenApiFilter.RunStage.RUN)
public class RunSchemaFilter implements OASFilter {

    static final String RUN = "Run";
    static final String BATCH = "RunBatch";
    static final String MULTIPART = """
            Parts need no file name and may be in any order: `post.{run_id}` and `patch.{run_id}` contain a run without its large \
            members, which have parts of their own: `post.{run_id}.inputs`, `.outputs`, `.events`, `.extra`, `.error`, \
            `.serialized`, each JSON. `attachment.{run_id}.{name}` and `feedback.{id}` are stored unchanged. Every run needs \
            trace_id and dotted_order. The body may be chunked, and compressed with gzip or zstd (Content-Encoding).""";

    @Override
    public void filterOpenAPI(OpenAPI description) {
        description.getComponents().addSchema(RUN, run());
        description.getComponents().addSchema(BATCH, object("Runs and patches that are stored in one transaction.")
                .addProperty("post", array("New runs.", OASFactory.createSchema().ref(RUN)))
                .addProperty("patch", array("Patches of runs.", OASFactory.createSchema().ref(RUN))));
    }

    private static Schema run() {
        Schema run = object("A run, or the members of a run that a patch changes. Unknown members are ignored.")
                .addProperty("id", uuid("Generated if a POST of a single run has none."))
                .addProperty("trace_id", uuid("The root run's id."))
                .addProperty("parent_run_id", uuid("The parent run."))
                .addProperty("dotted_order", text("Start times and ids of the runs from the root to this run, joined by dots."))
                .addProperty("session_id", uuid("The session's id."))
                .addProperty("session_name", text("The session's name; the session is created on first use. Default: default."))
                .addProperty("name", text("Required for a new run."))
                .addProperty("run_type", text("Required for a new run.")
                        .enumeration(List.of("tool", "chain", "llm", "retriever", "embedding", "prompt", "parser")))
                .addProperty("status", text("Default: derived from error and end_time.")
                        .enumeration(List.of("pending", "success", "error")))
                .addProperty("start_time", time())
                .addProperty("end_time", time())
                .addProperty("first_token_time", time())
                .addProperty("error", text("The error message of a failed run."))
                .addProperty("tags", array("Labels.", text(null)))
                .addProperty("reference_example_id", uuid("The dataset example that the run belongs to."))
                .addProperty("manifest_id", uuid("The configuration that the run was created with; stored as sent."))
                .addProperty("trace_tier", text("The retention tier; stored as sent."))
                .addProperty("events", array("Events during the run.", OASFactory.createSchema().addType(SchemaType.OBJECT)));
        List.of("inputs", "outputs", "extra", "serialized").forEach(member -> run.addProperty(member, object(null)));
        List.of("prompt_tokens", "completion_tokens", "total_tokens").forEach(member -> run.addProperty(member,
                OASFactory.createSchema().addType(SchemaType.INTEGER)));
        List.of("prompt_cost", "completion_cost", "total_cost").forEach(member -> run.addProperty(member,
                OASFactory.createSchema().addType(SchemaType.NUMBER)));
        return run.addExample(example());
    }

    // A LinkedHashMap, so that the generated description is the same for every start.
    private static Map<String, Object> example() {
        Map<String, Object> example = new LinkedHashMap<>();
        example.put("id", "01a1fb6f-cfcd-7000-8000-02eba7ec920f");
        example.put("name", "answer");
        example.put("run_type", "chain");
        example.put("start_time", "2026-11-21T00:09:31.341001Z");
        example.put("inputs", Map.of("question", "why?"));
        return example;
    }

    private static Schema object(@Nullable String description) {
        return OASFactory.createSchema().addType(SchemaType.OBJECT).description(description);
    }

    private static Schema array(String description, Schema items) {
        return OASFactory.createSchema().addType(SchemaType.ARRAY).description(description).items(items);
    }

    private static Schema text(@Nullable String description) {
        return OASFactory.createSchema().addType(SchemaType.STRING).description(description);
    }

    private static Schema uuid(String description) {
        return text(description).format("uuid");
    }

    private static Schema time() {
        return OASFactory.createSchema()
                .addType(SchemaType.STRING)
                .addType(SchemaType.NUMBER)
                .description("ISO 8601, or milliseconds since 1970 as a number.");
    }
}
