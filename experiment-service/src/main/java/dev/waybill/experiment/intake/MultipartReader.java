package dev.waybill.experiment.intake;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.experiment.body.Part;
import dev.waybill.experiment.run.JsonValues;
import dev.waybill.experiment.run.RunBatch;
import dev.waybill.experiment.run.RunFields;
import dev.waybill.experiment.run.RunReader;
import dev.waybill.experiment.run.RunValidator;
import dev.waybill.experiment.run.Violations;

/** Assembles the parts of one multipart body: the members of a run may be in any order and in parts of their own. */
final class MultipartReader {

    private final RunReader reader;
    private final FeedbackPartReader feedbackReader;
    private final long maxAttachmentSize;
    private final Violations violations;
    private final Map<UUID, RunFields> posts = new LinkedHashMap<>();
    private final Map<UUID, RunFields> patches = new LinkedHashMap<>();
    private final List<Batch.Attachment> attachments = new ArrayList<>();
    private final List<Batch.Feedback> feedback = new ArrayList<>();
    private final Set<String> names = new HashSet<>();

    MultipartReader(RunReader reader, FeedbackPartReader feedbackReader, long maxAttachmentSize, Violations violations) {
        this.reader = reader;
        this.feedbackReader = feedbackReader;
        this.maxAttachmentSize = maxAttachmentSize;
        this.violations = violations;
    }

    Batch read(List<Part> parts) {
        parts.forEach(this::read);
        check("post", posts);
        check("patch", patches);
        return new Batch(new RunBatch(List.copyOf(posts.values()), List.copyOf(patches.values())), attachments, feedback);
    }

    private void read(Part part) {
        Violations nested = violations.at(part.name());
        if (!names.add(part.name())) {
            nested.invalidHere("must not be repeated", "invalid");
            return;
        }
        PartName.parse(part.name()).ifPresentOrElse(name -> read(name, part, nested),
                () -> nested.invalidHere("must be named post.<run id>, patch.<run id>, one of these followed by ."
                        + String.join("|.", PartName.MEMBERS.stream().sorted().toList())
                        + ", attachment.<run id>.<name> or feedback.<id>", "invalid"));
    }

    private void read(PartName name, Part part, Violations nested) {
        switch (name) {
            case PartName.OfRun run -> reader.readInto(run(run.event(), run.id()), part.content(), nested);
            case PartName.OfMember member ->
                reader.readMember(run(member.event(), member.id()), member.member(), part.content(), nested);
            case PartName.OfAttachment file -> attachments.add(attachment(file, part));
            case PartName.OfFeedback item -> {
                reader.check(part.content(), nested);
                feedback.add(new Batch.Feedback(item.id(), part.content(), feedbackReader.read(item.id(), part.content())));
            }
        }
    }

    private Batch.Attachment attachment(PartName.OfAttachment name, Part part) {
        if (part.content().length() > maxAttachmentSize) {
            throw new ProblemException(CommonProblem.TOO_LARGE,
                    "The part " + part.name() + " has more than " + maxAttachmentSize
                            + " bytes, the maximum size of an attachment (GET /info returns the limits).")
                    .with("limit_bytes", maxAttachmentSize);
        }
        String type = part.contentType();
        return new Batch.Attachment(name.runId(), JsonValues.storable(name.name()),
                type == null ? null : JsonValues.storable(type), part.content());
    }

    private RunFields run(String event, UUID id) {
        return (event.equals("post") ? posts : patches).computeIfAbsent(id, ignored -> new RunFields());
    }

    private void check(String event, Map<UUID, RunFields> runs) {
        runs.forEach((id, run) -> {
            Violations nested = violations.at(event + "." + id);
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
