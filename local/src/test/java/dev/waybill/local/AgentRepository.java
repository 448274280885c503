package dev.waybill.local;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;

import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.local.client.Json;
import dev.waybill.local.stack.StackSettings;
import dev.waybill.local.tour.SourceRepository;

/** The sample application in a git repository, served over HTTP. */
final class AgentRepository implements AutoCloseable {

    private static final String CONFIGURATION = "langgraph.json";

    private final Map<String, byte[]> files;
    private final SourceRepository repository;
    final GitServer server;

    private AgentRepository(SourceRepository repository, Path application) {
        this.files = SourceRepository.files(application);
        this.repository = repository;
        this.server = GitServer.of(repository);
    }

    static AgentRepository in(Path folder) {
        return of(folder, StackSettings.sampleApplication(RunningStack.root()));
    }

    /** Creates a repository of another application. */
    static AgentRepository of(Path folder, Path application) {
        return new AgentRepository(SourceRepository.in(folder), application);
    }

    /** Commits the application with another file. */
    void commitWith(String file, String content) {
        files.put(file, content.getBytes(StandardCharsets.UTF_8));
        repository.commit(files, "Add " + file);
    }

    /**
     * Commits the application and returns the commit id.
     *
     * @param description the description of the assistant
     * @param command the start command; empty for the default
     */
    String commit(String description, String... command) {
        ObjectNode graph = Json.object().put("description", description);
        for (String argument : command.length == 0 ? new String[] { "java", "Agent.java" } : command) {
            graph.withArray("command").add(argument);
        }
        ObjectNode configuration = Json.object();
        configuration.putObject("graphs").set("agent", graph);
        files.put(CONFIGURATION, configuration.toString().getBytes(StandardCharsets.UTF_8));
        return repository.commit(files, description);
    }

    String commitWithoutConfiguration() {
        files.remove(CONFIGURATION);
        return repository.commit(files, "Without configuration");
    }

    @Override
    public void close() {
        server.close();
        repository.close();
    }
}
