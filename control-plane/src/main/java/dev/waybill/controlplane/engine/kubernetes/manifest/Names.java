package dev.waybill.controlplane.engine.kubernetes.manifest;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;

import dev.waybill.controlplane.engine.Plan;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;

/** What objects are called and how they are found again: functions of ids, so that every replica finds what another made. */
public final class Names {

    /** The owner of what is applied. */
    public static final String MANAGER = "waybill";

    /** Label: that it is Waybill's. */
    public static final String MANAGED_BY = "app.kubernetes.io/managed-by";

    /** Label: the workspace's id. */
    public static final String WORKSPACE = "waybill.dev/workspace";

    /** Label: the deployment's id. */
    public static final String DEPLOYMENT = "waybill.dev/deployment";

    /** Label: the revision's id. */
    public static final String REVISION = "waybill.dev/revision";

    /** Annotation: the revision's number within its deployment. */
    public static final String NUMBER = "waybill.dev/number";

    /** Annotation: what the application is written in. */
    public static final String WRITTEN_IN = "waybill.dev/written-in";

    private Names() {
    }

    /** Of a deployment's Service and Ingress; a DNS label that begins with a letter. */
    public static String deployment(UUID deploymentId) {
        return "app-" + deploymentId;
    }

    /** Of a revision's ConfigMap, Secret, Deployment and HorizontalPodAutoscaler. With a pod's ending still a DNS label. */
    public static String revision(UUID revisionId) {
        return "rev-" + revisionId;
    }

    /** Of the Secret with the credential of a revision's repository. */
    public static String credential(UUID revisionId) {
        return revision(revisionId) + "-git";
    }

    /** The labels that every object of a deployment has. */
    static Map<String, String> ofDeployment(Plan plan) {
        Map<String, String> labels = new TreeMap<>();
        labels.put("app.kubernetes.io/name", plan.name());
        labels.put("app.kubernetes.io/instance", deployment(plan.deploymentId()));
        labels.put("app.kubernetes.io/component", "application");
        labels.put(MANAGED_BY, MANAGER);
        labels.put(WORKSPACE, plan.tenantId().toString());
        labels.put(DEPLOYMENT, plan.deploymentId().toString());
        return labels;
    }

    /** The labels of a revision's objects. */
    static Map<String, String> ofRevision(Plan plan) {
        Map<String, String> labels = ofDeployment(plan);
        labels.put(REVISION, plan.revisionId().toString());
        return labels;
    }

    /**
     * Returns whether Waybill made the object: by its label, whose ids must match its name, or, where somebody removed the
     * label,
     * by the field manager that the API server recorded.
     */
    public static boolean isOwned(HasMetadata object) {
        ObjectMeta meta = object.getMetadata();
        Map<String, String> labels = meta.getLabels() == null ? Map.of() : meta.getLabels();
        boolean labelled = MANAGER.equals(labels.get(MANAGED_BY))
                && (id(labels, DEPLOYMENT).map(Names::deployment).filter(meta.getName()::equals).isPresent()
                        || id(labels, REVISION).map(Names::revision).filter(meta.getName()::equals).isPresent());
        return labelled || (meta.getManagedFields() != null && meta.getManagedFields().stream()
                .anyMatch(fields -> MANAGER.equals(fields.getManager()) && "Apply".equals(fields.getOperation())));
    }

    /** The revision's number in an object's annotation; 0 where it has none. */
    public static long number(HasMetadata object) {
        Map<String, String> annotations = object.getMetadata().getAnnotations();
        String number = annotations == null ? null : annotations.get(NUMBER);
        return number == null || !number.matches("[0-9]{1,18}") ? 0 : Long.parseLong(number);
    }

    /** The id in a label, where it is one. */
    public static Optional<UUID> id(Map<String, String> labels, String label) {
        try {
            return Optional.ofNullable(labels.get(label)).map(UUID::fromString);
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }
}
