package dev.waybill.common.application;

import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An application as its configuration file describes it (contract.md "Deployed application").
 *
 * @param directory where it is, absolute
 * @param graphs in the order of their ids
 * @param environment what its workers find in their environment beside the runtime's own
 */
public record Application(Path directory, List<Graph> graphs, Map<String, String> environment) {

    public Application {
        graphs = graphs.stream().sorted(Comparator.comparing(Graph::id)).toList();
        environment = Map.copyOf(environment);
    }

    /** The graph with this id. */
    public Optional<Graph> graph(String id) {
        return graphs.stream().filter(graph -> graph.id().equals(id)).findFirst();
    }

    /** Without the environment's values: they may be secret. */
    @Override
    public String toString() {
        return "Application[" + directory + ", " + graphs + ", " + environment.keySet() + "]";
    }
}
