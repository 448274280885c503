package dev.waybill.experiment.query;

import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * Query for a page of examples with the runs of experiments on them.
 *
 * @param examples ids of examples; empty for all examples of the dataset
 * @param fields names of the run fields to return, as in version 1 of the API
 */
public record ExperimentRunsQuery(UUID datasetId, List<UUID> experiments, List<UUID> examples, int limit, int offset,
        Set<String> fields) {

    public ExperimentRunsQuery {
        experiments = List.copyOf(experiments);
        examples = List.copyOf(examples);
        fields = Set.copyOf(fields);
    }
}
