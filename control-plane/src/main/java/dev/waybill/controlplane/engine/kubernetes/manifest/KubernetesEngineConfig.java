package dev.waybill.controlplane.engine.kubernetes.manifest;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Settings of the engine that runs applications in a Kubernetes cluster. */
@ConfigMapping(prefix = "waybill.engine.kubernetes")
public interface KubernetesEngineConfig {

    /** Namespace of applications, which must exist; {tenant_id} is replaced by the workspace's id. */
    @WithDefault("waybill-applications")
    String namespace();

    /** Runtime images by language: {@code node}, {@code python}, {@code command}, {@code all}. */
    Map<String, String> images();

    /** Image of the fetch container, with {@code sh} and {@code git}; default is the runtime image. */
    Optional<String> fetchImage();

    /** Names of image pull Secrets. */
    Optional<List<String>> pullSecrets();

    /** Additional configuration of runtimes, by key. */
    Map<String, String> settings();

    /** User and group id of runtimes; customers' images run as their own user. */
    @WithDefault("10001")
    long runAs();

    /** RuntimeClass of applications, for clusters with stronger isolation than Linux namespaces. */
    Optional<String> runtimeClass();

    /** Requested cores if a deployment sets none. */
    @WithDefault("0.25")
    double defaultCpu();

    /** Limit of cores if a deployment sets none. */
    @WithDefault("1")
    double defaultCpuLimit();

    /** Requested memory in MiB if a deployment sets none. */
    @WithDefault("512")
    int defaultMemoryMb();

    /** Limit of memory in MiB if a deployment sets none. */
    @WithDefault("1024")
    int defaultMemoryLimitMb();

    /** Maximum size of a pod's checkout with its dependencies, and of its temporary files. */
    @WithDefault("4G")
    MemorySize maxDisk();

    /** Target CPU utilization of the autoscaler, in percent of the requested cores. */
    @WithDefault("70")
    int targetCpuUtilization();

    /** Timeout for a pod to become healthy before it is restarted. */
    @WithDefault("2m")
    Duration healthTimeout();

    /** Time for runs in progress to finish in a terminating pod. */
    @WithDefault("5m")
    Duration drainTimeout();

    /** Time that a terminating pod still accepts requests, until all nodes have removed it from their endpoints. */
    @WithDefault("5s")
    Duration preStopDelay();

    /** Settings of the Ingress of every deployment. */
    Ingress ingress();

    /** Returns the namespace of a workspace's applications. */
    default String namespace(UUID tenantId) {
        return namespace().replace("{tenant_id}", tenantId.toString());
    }

    /** Settings of the Ingress of every deployment. */
    interface Ingress {

        /** Host template with {name}, {id} and {tenant_id}; without it no Ingress is created. */
        Optional<String> host();

        /** IngressClass; default is the cluster's. */
        Optional<String> className();

        /** Secret with the hosts' certificate. */
        Optional<String> tlsSecret();

        /** Annotations of every Ingress, for the ingress controller. */
        Map<String, String> annotations();
    }
}
