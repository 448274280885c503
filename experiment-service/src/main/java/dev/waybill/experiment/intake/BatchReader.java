package dev.waybill.experiment.intake;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

import jakarta.inject.Inject;
import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.experiment.CreateFeedbackRequest;
import dev.waybill.common.json.RequestBodyReader;
import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.experiment.body.Body;
import dev.waybill.experiment.body.IntakeConfig;
import dev.waybill.experiment.body.MultipartParser;
import dev.waybill.experiment.json.Bytes;
import dev.waybill.experiment.json.Texts;
import dev.waybill.experiment.json.ViolationCollector;
import dev.waybill.experiment.run.ReceivedRun;
import dev.waybill.experiment.run.RunReader;
import dev.waybill.experiment.run.RunValidator;

/**
 * Parses and validates batches. A batch with any violation is rejected as a whole, and the response lists all violations up
 * to a limit.
 */
@Singleton
class BatchReader {

    // Every member of every run in a large batch may be invalid; violations beyond the limit are only counted.
    private static final int MAX_VIOLATIONS = 1_000;
    // The limit of POST /feedback, which also binds feedback to a tree; larger parts are only stored as raw bodies.
    private static final int MAX_FEEDBACK_BYTES = 2 << 20;
    /** The members of a run that may have a part of their own. */
    private static final Set<String> MEMBERS = Set.of("inputs", "outputs", "events", "extra", "error", "serialized");

    private final RunReader reader;
    private final RequestBodyReader requests;
    private final long maxAttachmentSize;

    @Inject
    BatchReader(RunReader reader, RequestBodyReader requests, IntakeConfig config) {
        this(reader, requests, config.maxBodySize().asLongValue());
    }

    BatchReader(RunReader reader, RequestBodyReader requests, long maxAttachmentSize) {
        this.reader = reader;
        this.requests = requests;
        this.maxAttachmentSize = maxAttachmentSize;
    }

    /** Reads a body of {@code /runs/multipart}. */
    Batch readMultipart(Body body) {
        ViolationCollector violations = ViolationCollector.upTo(MAX_VIOLATIONS);
        Batch batch = new Form(violations).read(MultipartParser.parse(body));
        violations.throwIfAny();
        return batch;
    }

    /** Reads a body of {@code /runs/batch}. */
    Batch readJson(Body body) {
        ViolationCollector violations = ViolationCollector.upTo(MAX_VIOLATIONS);
        List<ReceivedRun> posts = new ArrayList<>();
        List<ReceivedRun> patches = new ArrayList<>();
        reader.readBatch(body.content(), posts, patches, violations);
        for (int i = 0; i < posts.size(); i++) {
            RunValidator.checkNew(posts.get(i), violations.at("post", i));
        }
        for (int i = 0; i < patches.size(); i++) {
            RunValidator.checkPatch(patches.get(i), violations.at("patch", i));
        }
        violations.throwIfAny();
        return Batch.of(posts, patches);
    }

    /** Reads a body of {@code POST /runs} or {@code PATCH /runs/{id}}; the caller throws the violations. */
    ReceivedRun readRun(Body body, ViolationCollector violations) {
        return reader.readRun(body.content(), violations);
    }

    // Returns null if the part is not feedback on a run (docs/decisions/0012). The id in the part's name applies unless the
    // feedback has its own.
    private @Nullable CreateFeedbackRequest feedback(UUID id, Bytes part) {
        if (part.length() > MAX_FEEDBACK_BYTES) {
            return null;
        }
        try {
            byte[] json = Arrays.copyOfRange(part.array(), part.offset(), part.offset() + part.length());
            CreateFeedbackRequest request = requests.read(json, CreateFeedbackRequest.class);
            return request.runId() == null ? null : onRun(request, request.id() == null ? id : request.id());
        } catch (ProblemException e) {
            return null;
        }
    }

    // The session is that of the run, whatever the part contains.
    private static CreateFeedbackRequest onRun(CreateFeedbackRequest request, UUID id) {
        return new CreateFeedbackRequest(id, request.runId(), null, request.key(), request.score(), request.value(),
                request.comment(),
                request.correction(), request.feedbackSource(), request.feedbackConfig(), request.extra(), request.createdAt(),
                request.modifiedAt());
    }

    /** Assembles the parts of one multipart body: the members of a run may be in any order and in parts of their own. */
    final class Form {

        private final ViolationCollector violations;
        private final Map<UUID, ReceivedRun> posts = new LinkedHashMap<>();
        private final Map<UUID, ReceivedRun> patches = new LinkedHashMap<>();
        private final List<Attachment> attachments = new ArrayList<>();
        private final List<Feedback> feedback = new ArrayList<>();
        private final Set<String> names = new HashSet<>();

        Form(ViolationCollector violations) {
            this.violations = violations;
        }

        Batch read(List<MultipartParser.Part> parts) {
            parts.forEach(this::read);
            check("post", posts);
            check("patch", patches);
            return new Batch(List.copyOf(posts.values()), List.copyOf(patches.values()), attachments, feedback);
        }

        private void read(MultipartParser.Part part) {
            ViolationCollector nested = violations.at(part.name());
            if (!names.add(part.name())) {
                nested.invalidHere("must not be repeated", "invalid");
            } else if (!read(part.name().split("\\.", 3), part, nested)) {
                nested.invalidHere("must be named post.<run id>, patch.<run id>, one of these followed by ."
                        + String.join("|.", MEMBERS.stream().sorted().toList())
                        + ", attachment.<run id>.<name> or feedback.<id>", "invalid");
            }
        }

        // Returns false for an unknown name.
        private boolean read(String[] name, MultipartParser.Part part, ViolationCollector nested) {
            UUID id = name.length < 2 ? null : Texts.parseId(name[1]).orElse(null);
            String suffix = name.length < 3 ? "" : name[2];
            if (id == null) {
                return false;
            }
            switch (name[0]) {
                case "post", "patch" -> {
                    if (name.length == 2) {
                        reader.readInto(run(name[0], id), part.content(), nested);
                    } else if (MEMBERS.contains(suffix)) {
                        reader.readMember(run(name[0], id), suffix, part.content(), nested);
                    } else {
                        return false;
                    }
                }
                case "attachment" -> {
                    if (suffix.isEmpty()) {
                        return false;
                    }
                    attachments.add(attachment(id, suffix, part));
                }
                case "feedback" -> {
                    if (name.length != 2) {
                        return false;
                    }
                    reader.check(part.content(), nested);
                    feedback.add(new Feedback(id, part.content(), feedback(id, part.content())));
                }
                default -> {
                    return false;
                }
            }
            return true;
        }

        private Attachment attachment(UUID runId, String name, MultipartParser.Part part) {
            if (part.content().length() > maxAttachmentSize) {
                throw new ProblemException(CommonProblem.TOO_LARGE,
                        "The part " + part.name() + " has more than " + maxAttachmentSize
                                + " bytes, the maximum size of an attachment (GET /info returns the limits).")
                        .with("limit_bytes", maxAttachmentSize);
            }
            String type = part.contentType();
            return new Attachment(runId, Texts.storable(name), type == null ? null : Texts.storable(type), part.content());
        }

        private ReceivedRun run(String event, UUID id) {
            return (event.equals("post") ? posts : patches).computeIfAbsent(id, ignored -> new ReceivedRun());
        }

        private void check(String event, Map<UUID, ReceivedRun> runs) {
            runs.forEach((id, run) -> {
                ViolationCollector nested = violations.at(event + "." + id);
                if (!names.contains(event + "." + id)) {
                    nested.invalidHere("is missing: the request has members of this run but not the run itself", "missing");
                    return;
                }
                RunValidator.assignId(run, id, nested);
                if (event.equals("post")) {
                    RunValidator.checkNew(run, nested);
                } else {
                    RunValidator.checkPatch(run, nested);
                }
            });
        }
    }

    /**
     * The validated content of one intake request.
     *
     * @param posts new runs
     * @param patches changes of runs, in the order in which they apply
     */
    record Batch(List<ReceivedRun> posts, List<ReceivedRun> patches, List<Attachment> attachments, List<Feedback> feedback) {

        static Batch of(List<ReceivedRun> posts, List<ReceivedRun> patches) {
            return new Batch(posts, patches, List.of(), List.of());
        }
    }

    /** A file that belongs to a run. */
    record Attachment(UUID runId, String name, @Nullable String contentType, Bytes content) {
    }

    /**
     * Feedback of a multipart request.
     *
     * @param request the parsed feedback; null if the part is not feedback on a run, and only its raw body is stored
     */
    record Feedback(UUID id, Bytes body, @Nullable CreateFeedbackRequest request) {

        Optional<CreateFeedbackRequest> parsed() {
            return Optional.ofNullable(request);
        }
    }
}
