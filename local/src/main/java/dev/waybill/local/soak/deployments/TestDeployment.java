package dev.waybill.local.soak.deployments;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.local.client.Json;
import dev.waybill.local.tour.SourceRepository;

/** One deployment of an application that needs next to nothing: a shell script, which answers with the number of its commit. */
public final class TestDeployment implements AutoCloseable {

    private static final Duration LIMIT = Duration.ofMinutes(10);
    private static final byte[] CONFIGURATION = """
            {"graphs": {"agent": {"command": ["sh", "agent.sh"]}}}
            """.getBytes(StandardCharsets.UTF_8);
    // The worker protocol, as far as one answer needs it.
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

    private final DeploymentTarget ground;
    private final SourceRepository repository;
    private final String id;
    private final URI url;
    private volatile int commits;

    private TestDeployment(DeploymentTarget ground, SourceRepository repository, JsonNode made) {
        this.ground = ground;
        this.repository = repository;
        this.commits = 1;
        this.id = made.required("id").textValue();
        this.url = URI.create(made.required("url").textValue());
    }

    /** Deploys it from a new repository; it is on its way then. */
    static TestDeployment create(DeploymentTarget ground, String integration, String name) {
        SourceRepository repository = SourceRepository.in(ground.folder().resolve(name + ".git"));
        repository.commit(files(1), "1");
        ObjectNode request = Json.object().put("name", name).put("source", "repohost");
        request.putObject("source_config").put("repo_url", repository.address()).put("integration_id", integration)
                .put("install_command", "echo installed > installed");
        request.putObject("source_revision_config").put("repo_ref", "main");
        return new TestDeployment(ground, repository, ground.client().post(ground.at("/v2/deployments"), request));
    }

    private static Map<String, byte[]> files(int number) {
        return Map.of("langgraph.json", CONFIGURATION, "agent.sh", AGENT, "answer",
                Integer.toString(number).getBytes(StandardCharsets.UTF_8));
    }

    /** Commits something new. */
    public synchronized void commit() {
        repository.commit(files(commits + 1), Integer.toString(commits + 1));
        commits++;
    }

    /** Asks for what the branch has now, one of these control planes. */
    void update(DeploymentTarget through) {
        ground.client().post(through.at("/v2/deployments/" + id + "/revisions"), Json.object());
    }

    /** @return the deployment as it is */
    public JsonNode get() {
        return ground.client().get(at(""));
    }

    /** @return how the latest revision has ended */
    public JsonNode awaitLatest() {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (System.nanoTime() < deadline) {
            JsonNode now = ground.client()
                    .get(at("/revisions/" + get().required("latest_revision_id").textValue() + "?wait=30s"));
            if (now.required("status").textValue().matches("DEPLOYED|INTERRUPTED|\\w+_FAILED")) {
                return now;
            }
        }
        throw new IllegalStateException("the latest revision has not ended after " + LIMIT + ": " + get());
    }

    void delete() {
        ground.client().delete(at(""));
    }

    public String id() {
        return id;
    }

    /** @return where it answers */
    public URI url() {
        return url;
    }

    /** @return the number that the newest commit answers with */
    public int newest() {
        return commits;
    }

    private URI at(String rest) {
        return ground.at("/v2/deployments/" + id + rest);
    }

    @Override
    public void close() {
        repository.close();
    }
}
