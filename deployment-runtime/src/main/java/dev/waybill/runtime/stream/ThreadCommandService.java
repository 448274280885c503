package dev.waybill.runtime.stream;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.common.json.RequestBodyReader;
import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.runtime.channel.RunSequence;
import dev.waybill.runtime.event.Json;
import dev.waybill.runtime.run.AnsweredException;
import dev.waybill.runtime.run.CreateThreadRunRequest;
import dev.waybill.runtime.run.Run;
import dev.waybill.runtime.run.StoredThreadRuns;
import dev.waybill.runtime.run.StoredThreadRuns.CallerThread;
import dev.waybill.runtime.run.ThreadRunService;
import dev.waybill.runtime.run.ThreadSnapshot;
import dev.waybill.runtime.stream.ThreadCommandResponse.Meta;
import io.smallrye.mutiny.Uni;

/** Executes commands of the agent streaming protocol: they create runs in the background, as requests for runs do. */
@Singleton
class ThreadCommandService {

    /** Modes from which the events of the channels are made. */
    private static final List<String> MODES = List.of("values", "updates", "messages-tuple", "custom", "tasks", "tools");
    private static final Set<String> STRATEGIES = Set.of("reject", "interrupt", "rollback", "enqueue");
    private static final Set<String> UNSUPPORTED = Set.of("input.inject", "state.get", "state.listCheckpoints", "state.fork",
            "agent.getTree", "subscription.subscribe", "subscription.unsubscribe", "subscription.reconnect");
    private static final String INVALID = "invalid_argument";
    private static final String NO_INTERRUPT = "no_such_interrupt";
    private static final String CHECKPOINT = "checkpoint_id";

    private final ThreadRunLookup lookup;
    private final StoredThreadRuns stored;
    private final ThreadRunService runs;
    private final RequestBodyReader bodies;

    ThreadCommandService(ThreadRunLookup lookup, StoredThreadRuns stored, ThreadRunService runs, RequestBodyReader bodies) {
        this.lookup = lookup;
        this.stored = stored;
        this.runs = runs;
        this.bodies = bodies;
    }

    /** Executes a command; fails as {@link ThreadRunService#create} does if its run cannot be created. */
    Uni<ThreadCommandResponse> execute(UUID threadId, ThreadCommandRequest command) {
        return switch (command.method()) {
            case "run.start" -> start(lookup.threadOf(threadId), command);
            case "input.respond" -> respond(lookup.threadOf(threadId), command);
            default -> error(command, UNSUPPORTED.contains(command.method()) ? "not_supported" : "unknown_command",
                    "The method must be run.start or input.respond; read states with GET /threads/{thread_id}/state, and subscribe "
                            + "with POST /threads/{thread_id}/stream/events.");
        };
    }

    private static Uni<ThreadCommandResponse> error(ThreadCommandRequest command, String code, String message) {
        return Uni.createFrom().item(ThreadCommandResponse.error(command, code, message));
    }

    private Uni<ThreadCommandResponse> start(CallerThread thread, ThreadCommandRequest command) {
        if (command.param("assistant_id").asText("").isBlank()) {
            return error(command, INVALID, "run.start requires an assistant_id.");
        }
        return find(thread).chain(found -> {
            JsonNode input = command.param("input");
            ObjectNode body = body(command, command.param("assistant_id").asText());
            boolean isAnswer = !input.isMissingNode() && !input.isNull() && !body.has(CHECKPOINT)
                    && found.filter(ThreadSnapshot::isInterrupted).isPresent();
            if (isAnswer) {
                answer(body).set("resume", input);
            } else {
                body.set("input", input.isMissingNode() ? NullNode.getInstance() : input);
            }
            return isAnswer ? create(command, thread, answer(thread, body, found.get()), true)
                    .onFailure(AnsweredException.class).recoverWithUni(() -> start(thread, command))
                    : create(command, thread, runs.create(thread, read(body), true), true);
        });
    }

    private Uni<ThreadCommandResponse> respond(CallerThread thread, ThreadCommandRequest command) {
        ObjectNode answers = answers(command);
        if (answers.isEmpty()) {
            return error(command, INVALID, "input.respond requires an interrupt_id and a response, or a list of responses.");
        }
        return find(thread).chain(found -> {
            Set<String> asked = found.map(ThreadCommandService::interruptIds).orElse(Set.of());
            Optional<String> assistant = found.flatMap(ThreadSnapshot::assistant);
            if (assistant.isEmpty()) {
                return error(command, "no_such_run", "The thread has had no run; send run.start first.");
            }
            if (found.filter(ThreadSnapshot::isBusy).isPresent()) {
                return error(command, NO_INTERRUPT, "The thread has an active run; wait for its end.");
            }
            if (asked.isEmpty()) {
                return error(command, INVALID, "The thread does not wait for an answer.");
            }
            String unknown = answers.properties().stream().map(Map.Entry::getKey).filter(id -> !asked.contains(id))
                    .findFirst().orElse(null);
            if (unknown != null) {
                return error(command, NO_INTERRUPT, "The thread does not wait for an answer to " + unknown + ".");
            }
            ObjectNode body = body(command, assistant.get());
            ObjectNode resume = answer(body);
            resume.set("resume", answers);
            set(resume, "update", command.param("update"));
            set(resume, "goto", command.param("goto"));
            return create(command, thread, answer(thread, body, found.get()), false)
                    // The run of another answer may have ended since the thread was read.
                    .onFailure(AnsweredException.class).recoverWithUni(() -> respond(thread, command));
        });
    }

    /** Makes the run an answer, of which another request must not begin a second one meanwhile. */
    private static ObjectNode answer(ObjectNode body) {
        return body.put("multitask_strategy", "reject").putObject("command");
    }

    /** Returns the answers by the ids of their interrupts. */
    private static ObjectNode answers(ThreadCommandRequest command) {
        ObjectNode answers = JsonNodeFactory.instance.objectNode();
        JsonNode several = command.param("responses");
        for (JsonNode answer : several.isArray() ? several : JsonNodeFactory.instance.arrayNode().add(command.params())) {
            if (answer.path("interrupt_id").isTextual()) {
                answers.set(answer.get("interrupt_id").textValue(),
                        answer.has("response") ? answer.get("response") : NullNode.getInstance());
            }
        }
        return answers;
    }

    private static Set<String> interruptIds(ThreadSnapshot thread) {
        return thread.interrupts().valueStream().map(interrupt -> interrupt.path("id").asText()).collect(Collectors.toSet());
    }

    /** Returns the request for a run that continues without clients, and whose events are retained for them. */
    private static ObjectNode body(ThreadCommandRequest command, String assistant) {
        ObjectNode body = JsonNodeFactory.instance.objectNode().put("assistant_id", assistant)
                .put("stream_subgraphs", true).put("stream_resumable", true).put("if_not_exists", "create");
        MODES.forEach(body.putArray("stream_mode")::add);
        set(body, "config", command.param("config"));
        set(body, "context", command.param("context"));
        set(body, "metadata", command.param("metadata"));
        // The SDK names the checkpoint of a fork here.
        set(body, CHECKPOINT, command.param("config").path("configurable").path("checkpoint_id"));
        String strategy = command.param("multitask_strategy").asText(command.param("multitaskStrategy").asText());
        if (STRATEGIES.contains(strategy)) {
            body.put("multitask_strategy", strategy);
        }
        return body;
    }

    private static void set(ObjectNode body, String name, JsonNode value) {
        if (!value.isMissingNode() && !value.isNull()) {
            body.set(name, value);
        }
    }

    private Uni<Run> answer(CallerThread thread, ObjectNode body, ThreadSnapshot asked) {
        return runs.answer(thread, read(body), asked);
    }

    private CreateThreadRunRequest read(ObjectNode body) {
        return bodies.read(Json.bytes(body), CreateThreadRunRequest.class);
    }

    private Uni<ThreadCommandResponse> create(ThreadCommandRequest command, CallerThread thread, Uni<Run> created,
            boolean namesRun) {
        return created.invoke(runs::start)
                .map(run -> ThreadCommandResponse.success(command, namesRun ? run.id() : null, meta(thread, run)));
    }

    private static Meta meta(CallerThread thread, Run run) {
        return new Meta(thread.id(), RunSequence.base(run.id(), run.createdAt()));
    }

    /** Returns the thread; empty if it does not exist yet. */
    private Uni<Optional<ThreadSnapshot>> find(CallerThread thread) {
        return stored.snapshot(thread).map(Optional::of)
                .onFailure(ThreadCommandService::isMissing).recoverWithItem(Optional.empty());
    }

    private static boolean isMissing(@Nullable Throwable failure) {
        return failure instanceof ProblemException problem && problem.type() == CommonProblem.NOT_FOUND;
    }
}
