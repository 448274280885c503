package dev.waybill.experiment.example;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

import dev.waybill.experiment.body.Part;
import dev.waybill.experiment.run.RunIds;
import dev.waybill.experiment.run.Violations;

/** Assembles the parts of one multipart form: {@code <id>}, {@code <id>.inputs} and {@code <id>.outputs}, in any order. */
final class ExampleMultipartReader {

    private final ExampleReader reader;
    private final UUID datasetId;
    private final Violations violations;
    private final Map<UUID, ExampleFields> examples = new LinkedHashMap<>();
    private final Set<String> names = new HashSet<>();

    ExampleMultipartReader(ExampleReader reader, UUID datasetId, Violations violations) {
        this.reader = reader;
        this.datasetId = datasetId;
        this.violations = violations;
    }

    List<ExampleFields> read(List<Part> parts) {
        parts.forEach(this::read);
        examples.forEach((id, example) -> {
            if (!names.contains(id.toString())) {
                violations.at(id.toString()).invalidHere(
                        "is missing: the request has members of this example but not the example itself",
                        "missing");
            }
            // The path and the part's name define dataset and id, whatever the part contains.
            example.id = id;
            example.datasetId = datasetId;
            example.datasetGiven = true;
        });
        return List.copyOf(examples.values());
    }

    private void read(Part part) {
        Violations nested = violations.at(part.name());
        String[] segments = part.name().split("\\.", 2);
        Optional<UUID> id = RunIds.parse(segments[0]);
        String name = id.map(exampleId -> segments.length == 1 ? exampleId.toString() : exampleId + "." + segments[1])
                .orElse(part.name());
        if (!names.add(name)) {
            nested.invalidHere("must not be repeated", "invalid");
        } else if (id.isEmpty()) {
            nested.invalidHere("must be named <example id>, <example id>.inputs or <example id>.outputs", "invalid");
        } else {
            read(examples.computeIfAbsent(id.get(), ignored -> new ExampleFields()), segments, part, nested);
        }
    }

    private void read(ExampleFields example, String[] segments, Part part, Violations nested) {
        if (segments.length == 1) {
            reader.readInto(example, part.content(), nested);
        } else if (segments[1].equals("inputs") || segments[1].equals("outputs")) {
            reader.readMember(example, segments[1], part.content(), nested);
        } else if (segments[1].startsWith("attachment")) {
            nested.invalidHere("is not supported: examples cannot have attachments; send the example without it", "invalid");
        } else {
            nested.invalidHere("must be named <example id>, <example id>.inputs or <example id>.outputs", "invalid");
        }
    }
}
