package dev.waybill.runtime.state;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;

/** Descriptions of graphs with a JSON state, which have one task with the name of the graph (docs/decisions/0182). */
final class JsonStateDrawing {

    private static final String START = "__start__";
    private static final String END = "__end__";

    private JsonStateDrawing() {
    }

    /**
     * Returns the drawing in LangGraph's form for the kind {@code graph}; otherwise its subgraphs, of which it has none.
     *
     * @throws ProblemException 404 if the parameters name a subgraph
     */
    static JsonNode describe(String graph, ObjectNode params) {
        if (params.has("namespace")) {
            throw new ProblemException(CommonProblem.NOT_FOUND, "The graph " + graph + " has no subgraphs.");
        }
        ObjectNode description = JsonNodeFactory.instance.objectNode();
        if (!params.path("kind").asText().equals("graph")) {
            return description;
        }
        ArrayNode nodes = description.putArray("nodes");
        node(nodes, START, "schema");
        node(nodes, graph, "runnable");
        node(nodes, END, "schema");
        ArrayNode edges = description.putArray("edges");
        edges.addObject().put("source", START).put("target", graph);
        edges.addObject().put("source", graph).put("target", END);
        return description;
    }

    private static void node(ArrayNode nodes, String id, String type) {
        ObjectNode node = nodes.addObject().put("id", id).put("type", type);
        if (type.equals("schema")) {
            node.put("data", id);
        } else {
            node.putObject("data").put("name", id);
        }
    }
}
