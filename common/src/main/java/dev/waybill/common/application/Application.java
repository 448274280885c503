package dev.waybill.common.application;

import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An application as described by its configuration file.
 *
 * @param directory absolute path of the application
 * @param graphs sorted by id
 * @param environment environment variables of the workers, in addition to those of the runtime
 */
public record Application(Path directory, List<Graph> graphs, Map<String, String> environment) {

    public Application {
        graphs = graphs.stream().sorted(Comparator.comparing(Graph::id)).toList();
        environment = Map.copyOf(environment);
    }

    /** Returns the graph with this id. */
    public Optional<Graph> graph(String id) {
        return graphs.stream().filter(graph -> graph.id().equals(id)).findFirst();
    }

    /** Omits the values of the environment, which may be secret. */
    @Override
    public String toString() {
        return "Application[" + directory + ", " + graphs + ", " + environment.keySet() + "]";
    }
}
