package dev.waybill.controlplane.engine.kubernetes;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateBuilder;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodConditionBuilder;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;

/** Builds pods in a given state. Init containers before the named container have completed. */
public final class PodFixture {

    private static final List<String> STEPS = List.of("fetch", "install", "application");

    private final PodStatus status = new PodStatus();
    private boolean preparation = true;
    private String container = "";
    private ContainerState state = new ContainerState();
    private ContainerState lastState = new ContainerState();
    private int restarts;

    private PodFixture() {
        status.setPhase("Pending");
        status.setStartTime("2026-11-22T05:59:59Z");
    }

    public static PodFixture pod() {
        return new PodFixture();
    }

    PodFixture young() {
        return this;
    }

    PodFixture old() {
        status.setStartTime("2026-11-22T05:58:00Z");
        return this;
    }

    public PodFixture withoutPreparation() {
        preparation = false;
        return this;
    }

    public PodFixture waiting(String name, String reason, String message) {
        container = name;
        state = new ContainerStateBuilder().withNewWaiting(message, reason).build();
        return this;
    }

    public PodFixture running(String name) {
        container = name;
        state = new ContainerStateBuilder().withNewRunning("2026-11-22T05:59:59Z").build();
        return this;
    }

    public PodFixture running(String name, int times, String reason, int exit) {
        running(name);
        restarts = times;
        lastState = ended(reason, exit);
        return this;
    }

    public PodFixture crashed(String name, int times, String reason, int exit) {
        waiting(name, "CrashLoopBackOff", "back-off 40s restarting failed container");
        restarts = times;
        lastState = ended(reason, exit);
        return this;
    }

    public PodFixture terminated(String name, String reason, int exit) {
        container = name;
        state = ended(reason, exit);
        return this;
    }

    public PodFixture ready() {
        status.setPhase("Running");
        status.getConditions().add(new PodConditionBuilder().withType("Ready").withStatus("True").build());
        return this;
    }

    public PodFixture unschedulable(String message) {
        status.getConditions().add(new PodConditionBuilder().withType("PodScheduled").withStatus("False")
                .withReason("Unschedulable").withMessage(message).build());
        return this;
    }

    PodFixture evicted(String message) {
        status.setPhase("Failed");
        status.setReason("Evicted");
        status.setMessage(message);
        return this;
    }

    /** Returns only the status, for an existing pod. */
    public PodStatus status() {
        build("pod");
        return status;
    }

    public Pod build(String name) {
        List<ContainerStatus> statuses = new ArrayList<>();
        for (String step : preparation ? STEPS : STEPS.subList(2, 3)) {
            statuses.add(status(step));
        }
        if (!container.isEmpty()) {
            status.setContainerStatuses(statuses.subList(statuses.size() - 1, statuses.size()));
            status.setInitContainerStatuses(statuses.subList(0, statuses.size() - 1));
        }
        PodBuilder pod = new PodBuilder().withNewMetadata().withName(name).endMetadata().withStatus(status)
                .withNewSpec().addNewContainer().withName("application").withResources(resources()).endContainer().endSpec();
        if (preparation) {
            pod.editSpec().addNewInitContainer().withName("fetch").endInitContainer()
                    .addNewInitContainer().withName("install").withResources(resources()).endInitContainer().endSpec();
        }
        return pod.build();
    }

    private ContainerStatus status(String step) {
        ContainerStatusBuilder made = new ContainerStatusBuilder().withName(step).withImage("acme/chat:1");
        if (step.equals(container)) {
            return made.withState(state).withLastState(lastState).withRestartCount(restarts)
                    .withReady(status.getPhase().equals("Running")).build();
        }
        return made.withRestartCount(0).withState(STEPS.indexOf(step) < STEPS.indexOf(container) ? ended("Completed", 0)
                : new ContainerStateBuilder().withNewWaiting("", "PodInitializing").build()).build();
    }

    private static ContainerState ended(String reason, int exit) {
        return new ContainerStateBuilder().withNewTerminated().withReason(reason).withExitCode(exit).endTerminated().build();
    }

    private static ResourceRequirements resources() {
        ResourceRequirements resources = new ResourceRequirements();
        resources.setRequests(Map.of("cpu", new Quantity("500m"), "memory", new Quantity("512Mi")));
        resources.setLimits(Map.of("cpu", new Quantity("1"), "memory", new Quantity("1Gi")));
        return resources;
    }

    static Event event(String reason, String message) {
        return new EventBuilder().withNewMetadata().withName("event").endMetadata()
                .withNewInvolvedObject().withName("pod").endInvolvedObject()
                .withType("Warning").withReason(reason).withMessage(message).withLastTimestamp("2026-11-22T05:59:59Z").build();
    }

    static Deployment deployment(int available) {
        return new DeploymentBuilder().withNewMetadata().withName("rev").withGeneration(1L).endMetadata()
                .withNewSpec().withReplicas(1).endSpec()
                .withNewStatus().withAvailableReplicas(available).withUpdatedReplicas(available).withObservedGeneration(1L)
                .endStatus().build();
    }

    static Deployment rejected(String message) {
        return new DeploymentBuilder(deployment(0)).editStatus()
                .addNewCondition().withType("ReplicaFailure").withStatus("True").withReason("FailedCreate").withMessage(message)
                .endCondition().endStatus().build();
    }
}
