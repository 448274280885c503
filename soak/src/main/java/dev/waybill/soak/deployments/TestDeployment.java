package dev.waybill.soak.deployments;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.local.client.Json;
import dev.waybill.local.tour.SourceRepository;

/** A deployment of a minimal application: a shell script that returns the number of its commit. */
public final class TestDeployment implements AutoCloseable {

    private static final Duration TIMEOUT = Duration.ofMinutes(10);
    private static final byte[] CONFIGURATION = """
            {"graphs": {"agent": {"command": ["sh", "agent.sh"]}}}
            """.getBytes(StandardCharsets.UTF_8);
    // Implements only the parts of the worker protocol that one response requires.
    private static final byte[] AGENT = """
            answer=$(cat answer)
            while IFS= read -r line; do
                id=${line#*\\"id\\":}
                id=${id%%[,\\}]*}
                case $line in
                    *'"method":"initialize"'*)
                        printf '{"jsonrpc":"2.0","id":%s,"result":{"protocol_version":1,"graphs":{"agent":{"schemas":{}}}}}\\n' "$id" ;;
                    *'"method":"run/start"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"values":{"answer":%s}}}\\n' "$id" "$answer" ;;
                    *'"method":"ping"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{}}\\n' "$id" ;;
                    *'"method":"shutdown"'*) exit 0 ;;
                esac
            done
            """
            .getBytes(StandardCharsets.UTF_8);

    private final DeploymentTarget target;
    private final SourceRepository repository;
    private final String id;
    private final URI url;
    private volatile int commits;

    private TestDeployment(DeploymentTarget target, SourceRepository repository, JsonNode created) {
        this.target = target;
        this.repository = repository;
        this.commits = 1;
        this.id = created.required("id").textValue();
        this.url = URI.create(created.required("url").textValue());
    }

    /** Creates a repository and a deployment of it. */
    static TestDeployment create(DeploymentTarget target, String integration, String name) {
        SourceRepository repository = SourceRepository.in(target.folder().resolve(name + ".git"));
        repository.commit(files(1), "1");
        ObjectNode request = Json.object().put("name", name).put("source", "repohost");
        request.putObject("source_config").put("repo_url", repository.address()).put("integration_id", integration)
                .put("install_command", "echo installed > installed");
        request.putObject("source_revision_config").put("repo_ref", "main");
        return new TestDeployment(target, repository, target.client().post(target.resolve("/v2/deployments"), request));
    }

    private static Map<String, byte[]> files(int number) {
        return Map.of("langgraph.json", CONFIGURATION, "agent.sh", AGENT, "answer",
                Integer.toString(number).getBytes(StandardCharsets.UTF_8));
    }

    /** Commits a new version. */
    public synchronized void commit() {
        repository.commit(files(commits + 1), Integer.toString(commits + 1));
        commits++;
    }

    /** Creates a revision of the branch's latest commit. */
    void update(DeploymentTarget target) {
        target.client().post(target.resolve("/v2/deployments/" + id + "/revisions"), Json.object());
    }

    /** Fetches the deployment. */
    public JsonNode get() {
        return target.client().get(at(""));
    }

    /** Waits until the latest revision has succeeded or failed and returns it. */
    public JsonNode awaitLatest() {
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        while (System.nanoTime() < deadline) {
            JsonNode revision = target.client()
                    .get(at("/revisions/" + get().required("latest_revision_id").textValue() + "?wait=30s"));
            if (revision.required("status").textValue().matches("DEPLOYED|INTERRUPTED|\\w+_FAILED")) {
                return revision;
            }
        }
        throw new IllegalStateException("the latest revision has not ended after " + TIMEOUT + ": " + get());
    }

    void delete() {
        target.client().delete(at(""));
    }

    public String id() {
        return id;
    }

    /** Returns the address of the application. */
    public URI url() {
        return url;
    }

    /** Returns the number of the latest commit, which the application returns. */
    public int latestCommit() {
        return commits;
    }

    private URI at(String rest) {
        return target.resolve("/v2/deployments/" + id + rest);
    }

    @Override
    public void close() {
        repository.close();
    }
}
