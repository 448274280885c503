package dev.waybill.experiment.intake;

import java.util.Optional;
import java.util.Set;
import java.util.UUID;

import dev.waybill.experiment.run.RunIds;

/** What a part of {@code /runs/multipart} is, as its name says: {@code post.<id>}, {@code patch.<id>.outputs} and so on. */
sealed interface PartName {

    /** The members of a run that may come in a part of their own. */
    Set<String> MEMBERS = Set.of("inputs", "outputs", "events", "extra", "error", "serialized");

    /** Reads a part's name, or answers nothing when it is none that is known. */
    static Optional<PartName> parse(String name) {
        String[] steps = name.split("\\.", 3);
        Optional<UUID> id = steps.length < 2 ? Optional.empty() : RunIds.parse(steps[1]);
        return id.flatMap(known -> switch (steps[0]) {
            case "post", "patch" -> ofRun(steps, known);
            case "attachment" -> steps.length == 3 && !steps[2].isEmpty()
                    ? Optional.of(new OfAttachment(known, steps[2]))
                    : Optional.empty();
            case "feedback" -> steps.length == 2 ? Optional.of(new OfFeedback(known)) : Optional.empty();
            default -> Optional.empty();
        });
    }

    private static Optional<PartName> ofRun(String[] steps, UUID id) {
        if (steps.length == 2) {
            return Optional.of(new OfRun(steps[0], id));
        }
        return MEMBERS.contains(steps[2]) ? Optional.of(new OfMember(steps[0], id, steps[2])) : Optional.empty();
    }

    /** A run without its large members. */
    record OfRun(String event, UUID id) implements PartName {
    }

    /** One large member of a run. */
    record OfMember(String event, UUID id, String member) implements PartName {
    }

    /** A file that belongs to a run. */
    record OfAttachment(UUID runId, String name) implements PartName {
    }

    /** Feedback. */
    record OfFeedback(UUID id) implements PartName {
    }
}
