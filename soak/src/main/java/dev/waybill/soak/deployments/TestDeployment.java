package dev.waybill.soak.deployments;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.waybill.common.api.deployment.DeploymentResponse;
import dev.waybill.common.api.deployment.LogLineResponse;
import dev.waybill.common.api.deployment.RevisionResponse;
import dev.waybill.common.api.deployment.RevisionStatus;
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
    private final UUID id;
    private final URI url;
    private volatile int commits;

    private TestDeployment(DeploymentTarget target, SourceRepository repository, DeploymentResponse created) {
        this.target = target;
        this.repository = repository;
        this.commits = 1;
        this.id = created.id();
        this.url = URI.create(created.url());
    }

    /** Creates a repository and a deployment of it. */
    static TestDeployment create(DeploymentTarget target, UUID integration, String name) {
        SourceRepository repository = SourceRepository.in(target.folder().resolve(name + ".git"));
        repository.commit(files(1), "1");
        return new TestDeployment(target, repository, target.deployer().create(name, repository.address(), integration,
                "echo installed > installed"));
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
        target.deployer().createRevision(id);
    }

    /** Fetches the deployment. */
    public DeploymentResponse get() {
        return target.controlPlane().getDeployment(id);
    }

    /** Waits until the latest revision has succeeded or failed and returns it. */
    public RevisionResponse awaitLatest() {
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        while (System.nanoTime() < deadline) {
            RevisionResponse revision = target.deployer().latestRevision(get(), "30s");
            RevisionStatus status = revision.status();
            if (status == RevisionStatus.DEPLOYED || status.isFinal() && status != RevisionStatus.SKIPPED) {
                return revision;
            }
        }
        throw new IllegalStateException("the latest revision has not ended after " + TIMEOUT + ": " + get());
    }

    void delete() {
        target.controlPlane().deleteDeployment(id);
    }

    public String id() {
        return id.toString();
    }

    /** Returns the address of the application. */
    public URI url() {
        return url;
    }

    /** Returns the number of the latest commit, which the application returns. */
    public int latestCommit() {
        return commits;
    }

    List<RevisionResponse> revisions() {
        return target.controlPlane().listDeploymentRevisions(id, 100, null, null).resources();
    }

    /** Returns the lines of a revision's log. */
    List<String> log(RevisionResponse revision) {
        return target.controlPlane().getRevisionLogs(id, revision.id()).logs().stream()
                .map(LogLineResponse::line)
                .toList();
    }

    @Override
    public void close() {
        repository.close();
    }
}
