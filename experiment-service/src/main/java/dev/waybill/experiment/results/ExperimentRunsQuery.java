package dev.waybill.experiment.results;

import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * Which examples are asked for and what of the runs on them.
 *
 * @param examples all of the dataset when empty
 * @param fields the members of version 1 of a run
 */
public record ExperimentRunsQuery(UUID datasetId, List<UUID> experiments, List<UUID> examples, int limit, int offset,
        Set<String> fields) {

    public ExperimentRunsQuery {
        experiments = List.copyOf(experiments);
        examples = List.copyOf(examples);
        fields = Set.copyOf(fields);
    }
}
