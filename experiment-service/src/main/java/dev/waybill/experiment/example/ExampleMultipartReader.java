package dev.waybill.experiment.example;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

import dev.waybill.experiment.body.Part;
import dev.waybill.experiment.run.Findings;
import dev.waybill.experiment.run.RunIds;

/** Puts the parts of one form together: {@code <id>}, {@code <id>.inputs} and {@code <id>.outputs}, in any order. */
final class ExampleMultipartReader {

    private final ExampleReader reader;
    private final UUID datasetId;
    private final Findings found;
    private final Map<UUID, ExampleFields> examples = new LinkedHashMap<>();
    private final Set<String> names = new HashSet<>();

    ExampleMultipartReader(ExampleReader reader, UUID datasetId, Findings found) {
        this.reader = reader;
        this.datasetId = datasetId;
        this.found = found;
    }

    List<ExampleFields> read(List<Part> parts) {
        parts.forEach(this::read);
        examples.forEach((id, example) -> {
            if (!names.contains(id.toString())) {
                found.at(id.toString()).invalidHere("must come too: there are members of this example but not the example",
                        "missing");
            }
            // The form is for one dataset and one example each part, whatever the part says.
            example.id = id;
            example.datasetId = datasetId;
            example.datasetGiven = true;
        });
        return List.copyOf(examples.values());
    }

    private void read(Part part) {
        Findings here = found.at(part.name());
        String[] steps = part.name().split("\\.", 2);
        Optional<UUID> id = RunIds.parse(steps[0]);
        String name = id.map(known -> steps.length == 1 ? known.toString() : known + "." + steps[1]).orElse(part.name());
        if (!names.add(name)) {
            here.invalidHere("must come only once", "invalid");
        } else if (id.isEmpty()) {
            here.invalidHere("must be named <example id>, <example id>.inputs or <example id>.outputs", "invalid");
        } else {
            read(examples.computeIfAbsent(id.get(), ignored -> new ExampleFields()), steps, part, here);
        }
    }

    private void read(ExampleFields example, String[] steps, Part part, Findings here) {
        if (steps.length == 1) {
            reader.readInto(example, part.content(), here);
        } else if (steps[1].equals("inputs") || steps[1].equals("outputs")) {
            reader.readMember(example, steps[1], part.content(), here);
        } else if (steps[1].startsWith("attachment")) {
            here.invalidHere("cannot be kept: examples have no attachments here; send the example without", "invalid");
        } else {
            here.invalidHere("must be named <example id>, <example id>.inputs or <example id>.outputs", "invalid");
        }
    }
}
