package dev.waybill.controlplane.engine.kubernetes.manifest;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;

import dev.waybill.controlplane.engine.RevisionSpec;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;

/** Names, labels and annotations of objects: functions of ids, so that every replica finds the objects of another one. */
public final class ObjectNames {

    /** Field manager of applied objects. */
    public static final String MANAGER = "waybill";

    /** Label of all objects that Waybill manages. */
    public static final String MANAGED_BY = "app.kubernetes.io/managed-by";

    /** Label with the workspace's id. */
    public static final String WORKSPACE = "waybill.dev/workspace";

    /** Label with the deployment's id. */
    public static final String DEPLOYMENT = "waybill.dev/deployment";

    /** Label with the revision's id. */
    public static final String REVISION = "waybill.dev/revision";

    /** Annotation with the revision's number. */
    public static final String NUMBER = "waybill.dev/number";

    /** Annotation with the application's languages. */
    public static final String LANGUAGES = "waybill.dev/written-in";

    private ObjectNames() {
    }

    /** Returns the name of a deployment's Service and Ingress; a DNS label that starts with a letter. */
    public static String deployment(UUID deploymentId) {
        return "app-" + deploymentId;
    }

    /**
     * Returns the name of a revision's ConfigMap, Secret, Deployment and HorizontalPodAutoscaler; a DNS label even with a pod's
     * suffix.
     */
    public static String revision(UUID revisionId) {
        return "rev-" + revisionId;
    }

    /** Returns the name of the Secret with the credential of a revision's repository. */
    public static String credential(UUID revisionId) {
        return revision(revisionId) + "-git";
    }

    /** Returns the labels of a deployment's objects. */
    static Map<String, String> ofDeployment(RevisionSpec plan) {
        Map<String, String> labels = new TreeMap<>();
        labels.put("app.kubernetes.io/name", plan.name());
        labels.put("app.kubernetes.io/instance", deployment(plan.deploymentId()));
        labels.put("app.kubernetes.io/component", "application");
        labels.put(MANAGED_BY, MANAGER);
        labels.put(WORKSPACE, plan.tenantId().toString());
        labels.put(DEPLOYMENT, plan.deploymentId().toString());
        return labels;
    }

    /** Returns the labels of a revision's objects. */
    static Map<String, String> ofRevision(RevisionSpec plan) {
        Map<String, String> labels = ofDeployment(plan);
        labels.put(REVISION, plan.revisionId().toString());
        return labels;
    }

    /**
     * Returns whether Waybill created the object: its labels match its name, or, if labels were removed, the API server
     * recorded Waybill's field manager.
     */
    public static boolean isOwned(HasMetadata object) {
        ObjectMeta meta = object.getMetadata();
        Map<String, String> labels = meta.getLabels() == null ? Map.of() : meta.getLabels();
        boolean labelled = MANAGER.equals(labels.get(MANAGED_BY))
                && (id(labels, DEPLOYMENT).map(ObjectNames::deployment).filter(meta.getName()::equals).isPresent()
                        || id(labels, REVISION).map(ObjectNames::revision).filter(meta.getName()::equals).isPresent());
        return labelled || (meta.getManagedFields() != null && meta.getManagedFields().stream()
                .anyMatch(fields -> MANAGER.equals(fields.getManager()) && "Apply".equals(fields.getOperation())));
    }

    /** Returns the revision's number in an object's annotation; 0 if it has none. */
    public static long number(HasMetadata object) {
        Map<String, String> annotations = object.getMetadata().getAnnotations();
        String number = annotations == null ? null : annotations.get(NUMBER);
        return number == null || !number.matches("[0-9]{1,18}") ? 0 : Long.parseLong(number);
    }

    /** Returns the id in a label; empty if it is missing or invalid. */
    public static Optional<UUID> id(Map<String, String> labels, String label) {
        try {
            return Optional.ofNullable(labels.get(label)).map(UUID::fromString);
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }
}
