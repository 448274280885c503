package dev.waybill.experiment.intake;

import java.util.Optional;
import java.util.Set;
import java.util.UUID;

import dev.waybill.experiment.run.RunIds;

/** The parsed name of a part of {@code /runs/multipart}: {@code post.<id>}, {@code patch.<id>.outputs} and so on. */
sealed interface PartName {

    /** The members of a run that may have a part of their own. */
    Set<String> MEMBERS = Set.of("inputs", "outputs", "events", "extra", "error", "serialized");

    /** Parses a part's name; empty if it is unknown. */
    static Optional<PartName> parse(String name) {
        String[] segments = name.split("\\.", 3);
        Optional<UUID> id = segments.length < 2 ? Optional.empty() : RunIds.parse(segments[1]);
        return id.flatMap(runId -> switch (segments[0]) {
            case "post", "patch" -> ofRun(segments, runId);
            case "attachment" -> segments.length == 3 && !segments[2].isEmpty()
                    ? Optional.of(new OfAttachment(runId, segments[2]))
                    : Optional.empty();
            case "feedback" -> segments.length == 2 ? Optional.of(new OfFeedback(runId)) : Optional.empty();
            default -> Optional.empty();
        });
    }

    private static Optional<PartName> ofRun(String[] segments, UUID id) {
        if (segments.length == 2) {
            return Optional.of(new OfRun(segments[0], id));
        }
        return MEMBERS.contains(segments[2]) ? Optional.of(new OfMember(segments[0], id, segments[2])) : Optional.empty();
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

    /** A piece of feedback. */
    record OfFeedback(UUID id) implements PartName {
    }
}
