package dev.waybill.controlplane.engine.kubernetes.manifest;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Applications in a Kubernetes cluster. */
@ConfigMapping(prefix = "waybill.engine.kubernetes")
public interface KubernetesEngineConfig {

    /** The namespace of applications, which must be there; {tenant_id} stands for the workspace's. */
    @WithDefault("waybill-applications")
    String namespace();

    /** Runtime images by what an application is written in: {@code node}, {@code python}, {@code command}, {@code all}. */
    Map<String, String> images();

    /** The image that fetches repositories, with {@code sh} and {@code git}; without it the application's runtime image. */
    Optional<String> fetchImage();

    /** Names of Secrets that open registries of images. */
    Optional<List<String>> pullSecrets();

    /** What else runtimes are told: names and values of their own configuration. */
    Map<String, String> settings();

    /** The user and group that runtimes run as. Images of customers run as the user they name. */
    @WithDefault("10001")
    long runAs();

    /** The RuntimeClass of applications, for clusters that isolate containers better than by namespaces of the system. */
    Optional<String> runtimeClass();

    /** Cores asked for where a deployment says nothing. */
    @WithDefault("0.25")
    double cpu();

    /** Cores at most where a deployment says nothing. */
    @WithDefault("1")
    double cpuLimit();

    /** MiB of memory asked for where a deployment says nothing. */
    @WithDefault("512")
    int memoryMb();

    /** MiB of memory at most where a deployment says nothing. */
    @WithDefault("1024")
    int memoryLimitMb();

    /** How large a pod's files may become: its checkout with what was installed, and its temporary files likewise. */
    @WithDefault("4G")
    MemorySize disk();

    /** The share of the processor asked for, in percent, above which there are more pods. */
    @WithDefault("70")
    int scaleAt();

    /** How long a pod may take to become healthy before it is started again. */
    @WithDefault("2m")
    Duration healthTimeout();

    /** How long running runs may go on in a pod that is to end. */
    @WithDefault("5m")
    Duration drain();

    /** How long a pod that is to end still takes requests, until everybody has heard of it. */
    @WithDefault("5s")
    Duration settle();

    /** How long an image that cannot be pulled is tried before the revision fails. */
    @WithDefault("1m")
    Duration pullTime();

    /** How often a pod of a new revision may end before the revision fails. */
    @WithDefault("3")
    int crashes();

    /** How often all of a revision is applied anew although its Deployment and its Service are as they were. */
    @WithDefault("30m")
    Duration applyEvery();

    /** How applications are reached from outside of the cluster. */
    Ingress ingress();

    /** The namespace of a workspace's applications. */
    default String namespace(UUID tenantId) {
        return namespace().replace("{tenant_id}", tenantId.toString());
    }

    /** How applications are reached from outside of the cluster. */
    interface Ingress {

        /** A deployment's host; {name}, {id} and {tenant_id} stand for its own. Without it there is no Ingress. */
        Optional<String> host();

        /** The IngressClass; without it the cluster's own choice. */
        Optional<String> className();

        /** The Secret with the certificate for these hosts. */
        Optional<String> tlsSecret();

        /** Annotations of every Ingress, for its controller. */
        Map<String, String> annotations();
    }
}
