package dev.waybill.local.soak.deployments;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.local.client.Json;
import dev.waybill.local.stack.ApplicationProcesses;
import dev.waybill.local.storage.FreePort;

/** Deployments that are made, updated and deleted all at once; and what must be true of them afterwards. */
public final class DeploymentGroup implements AutoCloseable {

    /** The engine's own, in front of all applications. */
    private static final String GATE = "gate";
    /** What a deployment's revisions were made of; some of it is kept for as long as there is the deployment. */
    private static final String BUILDS = "builds";
    /** What is said when a step is done: one that built nothing says that it found it built. */
    private static final List<String> STEPS = List.of("\\$ .*|.* was built already with .*", "Starting the application.",
            "The application is healthy and serves.");

    private final DeploymentTarget ground;
    private final List<TestDeployment> members;

    private DeploymentGroup(DeploymentTarget ground, List<TestDeployment> members) {
        this.ground = ground;
        this.members = members;
    }

    /** Returns when so many deployments are made and their first revisions have ended. */
    public static DeploymentGroup deploy(DeploymentTarget ground, int deployments) {
        String integration = integration(ground);
        DeploymentGroup fleet = new DeploymentGroup(ground, atOnce(IntStream.range(0, deployments)
                .mapToObj(i -> (Callable<TestDeployment>) () -> TestDeployment.create(ground, integration, "fleet-" + i)).toList()));
        fleet.awaitLatest();
        return fleet;
    }

    private static String integration(DeploymentTarget ground) {
        URI integrations = ground.at("/v1/integrations/repohost/install");
        String baseUrl = "file://" + ground.folder();
        return ground.client().get(integrations).valueStream()
                .filter(known -> known.required("base_url").textValue().equals(baseUrl))
                .findFirst()
                .orElseGet(() -> ground.client().post(integrations,
                        Json.object().put("installation_id", 0).put("name", "fleet").put("base_url", baseUrl)))
                .required("id").textValue();
    }

    public List<TestDeployment> members() {
        return members;
    }

    /** Every deployment gets so many new revisions, all of them as fast as they are answered by any of these control planes. */
    public void update(DeploymentTarget through, int times) {
        atOnce(members.stream().map(member -> (Callable<Boolean>) () -> {
            for (int i = 0; i < times; i++) {
                member.commit();
                member.update(through);
            }
            return true;
        }).toList());
    }

    /** Waits until the latest revision of each deployment has ended, well or not. */
    public void awaitLatest() {
        members.forEach(TestDeployment::awaitLatest);
    }

    /** @return deployments that do not serve their newest revision, and revisions that are still on their way */
    public List<String> notOnNewest() {
        List<String> wrong = new ArrayList<>();
        for (TestDeployment member : members) {
            JsonNode deployment = member.get();
            if (!deployment.required("status").textValue().equals("READY")
                    || !deployment.required("active_revision_id").equals(deployment.required("latest_revision_id"))) {
                wrong.add(deployment.toString());
            }
            revisions(member)
                    .filter(revision -> !revision.required("status").textValue().matches("DEPLOYED|SKIPPED"))
                    .forEach(revision -> wrong.add(revision.toString()));
        }
        return wrong;
    }

    /** @return files and processes of other revisions than the active ones; what was replaced is ended by and by */
    public List<String> leftovers() {
        List<String> left = new ArrayList<>();
        Set<String> known = new HashSet<>(Set.of(GATE));
        for (TestDeployment member : members) {
            known.add(member.id());
            Path folder = ground.applications().resolve(member.id());
            String active = member.get().required("active_revision_id").textValue();
            folders(folder).filter(name -> !name.equals(active) && !name.equals(BUILDS))
                    .forEach(name -> left.add(member.id() + "/" + name));
            Set<ProcessHandle> wanted = new HashSet<>(ApplicationProcesses.of(folder.resolve(active)));
            ApplicationProcesses.of(folder).stream().filter(process -> !wanted.contains(process))
                    .forEach(process -> left.add(member.id() + ": process " + process.pid()));
            long programs = wanted.stream().filter(process -> ApplicationProcesses.isProgramOf(process, active)).count();
            if (programs != 1) {
                left.add(member.id() + ": " + programs + " applications run");
            }
        }
        folders(ground.applications()).filter(name -> !known.contains(name)).forEach(left::add);
        return left;
    }

    /** @return the ids of all revisions so far */
    public Set<String> revisions() {
        return members.stream().flatMap(this::revisions).map(revision -> revision.required("id").textValue())
                .collect(Collectors.toSet());
    }

    /** @return revisions other than those before of which a step was done more than once, or one that is deployed left out */
    public List<String> notDoneOnce(Set<String> before) {
        List<String> wrong = new ArrayList<>();
        for (TestDeployment member : members) {
            revisions(member).filter(revision -> !before.contains(revision.required("id").textValue())).forEach(revision -> {
                boolean deployed = revision.required("status").textValue().equals("DEPLOYED");
                List<String> lines = log(member, revision.required("id").textValue());
                for (String step : STEPS) {
                    long times = lines.stream().filter(line -> line.matches(step)).count();
                    if (times > 1 || (deployed && times == 0)) {
                        wrong.add(revision + ": " + times + " times " + step);
                    }
                }
            });
        }
        return wrong;
    }

    private Stream<JsonNode> revisions(TestDeployment member) {
        return ground.client().get(ground.at("/v2/deployments/" + member.id() + "/revisions?limit=100")).required("resources")
                .valueStream();
    }

    private List<String> log(TestDeployment member, String revision) {
        return ground.client().get(ground.at("/v2/deployments/" + member.id() + "/revisions/" + revision + "/logs"))
                .required("logs").valueStream().map(line -> line.required("line").textValue()).toList();
    }

    /** Deletes all of them; {@link #remains} says what is not gone yet. */
    public void delete() {
        atOnce(members.stream().map(member -> (Callable<Boolean>) () -> {
            member.delete();
            return true;
        }).toList());
    }

    /** @return folders, processes and ports of deployments that are deleted */
    public List<String> remains() {
        List<String> left = new ArrayList<>();
        for (TestDeployment member : members) {
            Path folder = ground.applications().resolve(member.id());
            if (Files.exists(folder)) {
                left.add(folder.toString());
            }
            ApplicationProcesses.of(folder).forEach(process -> left.add(member.id() + ": process " + process.pid()));
            if (!FreePort.isFree(member.url().getPort())) {
                left.add(member.url() + " is taken");
            }
        }
        return left;
    }

    @Override
    public void close() {
        members.forEach(TestDeployment::close);
    }

    private static Stream<String> folders(Path folder) {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.filter(Files::isDirectory).map(entry -> entry.getFileName().toString()).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static <T> List<T> atOnce(List<Callable<T>> work) {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<T> done = new ArrayList<>();
            for (Future<T> one : threads.invokeAll(work)) {
                done.add(one.get());
            }
            return done;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}
