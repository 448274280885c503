package dev.waybill.soak.deployments;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.waybill.common.api.deployment.DeploymentResponse;
import dev.waybill.common.api.deployment.DeploymentStatus;
import dev.waybill.common.api.deployment.RevisionStatus;
import dev.waybill.local.stack.ApplicationProcesses;
import dev.waybill.local.storage.FreePort;

/** Deployments that are created, updated and deleted concurrently, with checks of the result. */
public final class DeploymentGroup implements AutoCloseable {

    /** The engine's folder of the reverse proxy. */
    private static final String PROXY_FOLDER = "gate";
    /** Names of deleted deployments. */
    private static final String DELETED_FOLDER = "deleted";
    /** The folder of a deployment's builds, some of which are retained until the deployment is deleted. */
    private static final String BUILDS_FOLDER = "builds";
    /** The log lines of the steps of a revision; the first one has an alternative for a reused build. */
    private static final List<String> STEPS = List.of("\\$ .*|.* was built already with .*", "Starting the application.",
            "The application is healthy and serves.");

    private final DeploymentTarget target;
    private final List<TestDeployment> deployments;

    private DeploymentGroup(DeploymentTarget target, List<TestDeployment> deployments) {
        this.target = target;
        this.deployments = deployments;
    }

    /** Creates deployments and returns when their first revisions have ended. */
    public static DeploymentGroup deploy(DeploymentTarget target, int deployments) {
        UUID integration = target.deployer().integration("file://" + target.folder());
        DeploymentGroup group = new DeploymentGroup(target, runConcurrently(IntStream.range(0, deployments)
                .mapToObj(i -> (Callable<TestDeployment>) () -> TestDeployment.create(target, integration, "fleet-" + i))
                .toList()));
        group.awaitLatest();
        return group;
    }

    public List<TestDeployment> deployments() {
        return deployments;
    }

    /** Creates new revisions of every deployment without waiting for their rollout. */
    public void update(DeploymentTarget target, int times) {
        runConcurrently(deployments.stream().map(testDeployment -> (Callable<Boolean>) () -> {
            for (int i = 0; i < times; i++) {
                testDeployment.commit();
                testDeployment.update(target);
            }
            return true;
        }).toList());
    }

    /** Waits until the latest revision of each deployment has succeeded or failed. */
    public void awaitLatest() {
        deployments.forEach(TestDeployment::awaitLatest);
    }

    /**
     * Returns the deployments whose latest revision is not active, and the revisions in other than a successful final status.
     */
    public List<String> outdated() {
        List<String> failures = new ArrayList<>();
        for (TestDeployment testDeployment : deployments) {
            DeploymentResponse current = testDeployment.get();
            if (current.status() != DeploymentStatus.READY
                    || !Objects.equals(current.activeRevisionId(), current.latestRevisionId())) {
                failures.add(current.toString());
            }
            testDeployment.revisions().stream()
                    .filter(revision -> revision.status() != RevisionStatus.DEPLOYED
                            && revision.status() != RevisionStatus.SKIPPED)
                    .forEach(revision -> failures.add(revision.toString()));
        }
        return failures;
    }

    /** Returns the files and processes of inactive revisions, which the control plane removes after some time. */
    public List<String> obsoleteResources() {
        List<String> remaining = new ArrayList<>();
        Set<String> known = new HashSet<>(Set.of(PROXY_FOLDER, DELETED_FOLDER));
        for (TestDeployment testDeployment : deployments) {
            known.add(testDeployment.id());
            Path folder = target.applications().resolve(testDeployment.id());
            String active = String.valueOf(testDeployment.get().activeRevisionId());
            folders(folder).filter(name -> !name.equals(active) && !name.equals(BUILDS_FOLDER))
                    .forEach(name -> remaining.add(testDeployment.id() + "/" + name));
            Set<ProcessHandle> activeProcesses = new HashSet<>(ApplicationProcesses.of(folder.resolve(active)));
            ApplicationProcesses.of(folder).stream().filter(process -> !activeProcesses.contains(process))
                    .forEach(process -> remaining.add(testDeployment.id() + ": process " + process.pid()));
            long programs = activeProcesses.stream().filter(process -> ApplicationProcesses.isProgramOf(process, active))
                    .count();
            if (programs != 1) {
                remaining.add(testDeployment.id() + ": " + programs + " running applications, expected 1");
            }
        }
        folders(target.applications()).filter(name -> !known.contains(name)).forEach(remaining::add);
        return remaining;
    }

    /** Returns the ids of all revisions. */
    public Set<String> revisions() {
        return deployments.stream().flatMap(each -> each.revisions().stream()).map(revision -> revision.id().toString())
                .collect(Collectors.toSet());
    }

    /** Returns the revisions, except {@code before}, that executed a step twice or were deployed without one of the steps. */
    public List<String> stepsNotExecutedOnce(Set<String> before) {
        List<String> failures = new ArrayList<>();
        for (TestDeployment testDeployment : deployments) {
            testDeployment.revisions().stream().filter(revision -> !before.contains(revision.id().toString()))
                    .forEach(revision -> {
                        boolean deployed = revision.status() == RevisionStatus.DEPLOYED;
                        List<String> lines = testDeployment.log(revision);
                        for (String step : STEPS) {
                            long times = lines.stream().filter(line -> line.matches(step)).count();
                            if (times > 1 || (deployed && times == 0)) {
                                failures.add(revision + ": " + times + " times " + step);
                            }
                        }
                    });
        }
        return failures;
    }

    /** Deletes all deployments; {@link #remainingResources} returns their resources that still exist. */
    public void delete() {
        runConcurrently(deployments.stream().map(testDeployment -> (Callable<Boolean>) () -> {
            testDeployment.delete();
            return true;
        }).toList());
    }

    /** Returns the folders, processes and ports of the deleted deployments that still exist. */
    public List<String> remainingResources() {
        List<String> remaining = new ArrayList<>();
        for (TestDeployment testDeployment : deployments) {
            Path folder = target.applications().resolve(testDeployment.id());
            if (Files.exists(folder)) {
                remaining.add(folder.toString());
            }
            ApplicationProcesses.of(folder)
                    .forEach(process -> remaining.add(testDeployment.id() + ": process " + process.pid()));
            if (!FreePort.isFree(testDeployment.url().getPort())) {
                remaining.add(testDeployment.url() + " is still in use");
            }
        }
        return remaining;
    }

    @Override
    public void close() {
        deployments.forEach(TestDeployment::close);
    }

    private static Stream<String> folders(Path folder) {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.filter(Files::isDirectory).map(entry -> entry.getFileName().toString()).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static <T> List<T> runConcurrently(List<Callable<T>> tasks) {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<T> results = new ArrayList<>();
            for (Future<T> result : threads.invokeAll(tasks)) {
                results.add(result.get());
            }
            return results;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}
