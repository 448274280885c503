package dev.waybill.client;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PATCH;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.account.ApiKeyResponse;
import dev.waybill.common.api.account.CreateApiKeyRequest;
import dev.waybill.common.api.account.CreateOrganizationRequest;
import dev.waybill.common.api.account.CreateWorkspaceRequest;
import dev.waybill.common.api.account.CreatedApiKeyResponse;
import dev.waybill.common.api.account.CreatedOrganizationResponse;
import dev.waybill.common.api.account.OrganizationResponse;
import dev.waybill.common.api.account.UpdateApiKeyRequest;
import dev.waybill.common.api.account.UpdateOrganizationRequest;
import dev.waybill.common.api.account.WhoamiResponse;
import dev.waybill.common.api.account.WorkspaceResponse;
import dev.waybill.common.api.audit.AuditEventPageResponse;
import dev.waybill.common.api.deployment.ApplicationStatusResponse;
import dev.waybill.common.api.deployment.CreateDeploymentRequest;
import dev.waybill.common.api.deployment.CreateIntegrationRequest;
import dev.waybill.common.api.deployment.CreatedIntegrationResponse;
import dev.waybill.common.api.deployment.DeploymentResponse;
import dev.waybill.common.api.deployment.IntegrationResponse;
import dev.waybill.common.api.deployment.RepositoryResponse;
import dev.waybill.common.api.deployment.RevisionLogsResponse;
import dev.waybill.common.api.deployment.RevisionResponse;
import dev.waybill.common.api.deployment.UpdateDeploymentRequest;
import dev.waybill.common.api.deployment.UpdateIntegrationRequest;
import dev.waybill.common.api.deployment.WebhookDeliveryResponse;
import dev.waybill.common.api.notification.CreateNotificationRuleRequest;
import dev.waybill.common.api.notification.CreatedNotificationRuleResponse;
import dev.waybill.common.api.notification.NotificationDeliveryResponse;
import dev.waybill.common.api.notification.NotificationRuleResponse;
import dev.waybill.common.api.notification.UpdateNotificationRuleRequest;

/** The control plane: accounts, integrations and deployments. */
@Path("/")
@Produces("application/json")
public interface ControlPlaneClient {

    /** Lists API keys. */
    @GET
    @Path("/v1/api-keys")
    Page<ApiKeyResponse> listApiKeys(@QueryParam("limit") @Nullable Integer limit,
            @QueryParam("offset") @Nullable Integer offset);

    /** Creates an API key. */
    @POST
    @Path("/v1/api-keys")
    CreatedApiKeyResponse createApiKey(CreateApiKeyRequest request);

    /** Changes the name or role of an API key. */
    @PATCH
    @Path("/v1/api-keys/{id}")
    ApiKeyResponse updateApiKey(@PathParam("id") UUID id, UpdateApiKeyRequest request);

    /** Revokes an API key. */
    @DELETE
    @Path("/v1/api-keys/{id}")
    void revokeApiKey(@PathParam("id") UUID id);

    /** Lists events of the audit log; {@code outcome} and {@code method} may name several values, separated by commas. */
    @GET
    @Path("/v1/audit-events")
    AuditEventPageResponse listAuditEvents(@QueryParam("event_id") @Nullable UUID eventId,
            @QueryParam("actor_id") @Nullable String actorId, @QueryParam("resource_id") @Nullable UUID resourceId,
            @QueryParam("outcome") @Nullable String outcome, @QueryParam("method") @Nullable String method,
            @QueryParam("start_time") @Nullable Instant startTime, @QueryParam("end_time") @Nullable Instant endTime,
            @QueryParam("limit") @Nullable Integer limit, @QueryParam("cursor") @Nullable String cursor);

    /** Lists integrations. */
    @GET
    @Path("/v1/integrations/repohost/install")
    List<IntegrationResponse> listRepohostIntegrations();

    /** Registers an integration. */
    @POST
    @Path("/v1/integrations/repohost/install")
    CreatedIntegrationResponse createRepohostIntegration(CreateIntegrationRequest request);

    /** Changes an integration. */
    @PATCH
    @Path("/v1/integrations/repohost/{integration_id}")
    IntegrationResponse updateRepohostIntegration(@PathParam("integration_id") UUID integrationId,
            UpdateIntegrationRequest request);

    /** Gets an integration. */
    @GET
    @Path("/v1/integrations/repohost/{integration_id}")
    IntegrationResponse getRepohostIntegration(@PathParam("integration_id") UUID integrationId);

    /** Deletes an integration. */
    @DELETE
    @Path("/v1/integrations/repohost/{integration_id}")
    void deleteRepohostIntegration(@PathParam("integration_id") UUID integrationId);

    /** Lists repositories. */
    @GET
    @Path("/v1/integrations/repohost/{integration_id}/repos")
    List<RepositoryResponse> listRepohostRepositories(@PathParam("integration_id") UUID integrationId);

    /** Lists webhook deliveries of an integration. */
    @GET
    @Path("/v1/integrations/repohost/{integration_id}/deliveries")
    Page<WebhookDeliveryResponse> listRepohostDeliveries(@PathParam("integration_id") UUID integrationId,
            @QueryParam("limit") @Nullable Integer limit, @QueryParam("offset") @Nullable Integer offset);

    /** Lists notification rules. */
    @GET
    @Path("/v1/notification-rules")
    List<NotificationRuleResponse> listNotificationRules();

    /** Creates a notification rule. */
    @POST
    @Path("/v1/notification-rules")
    CreatedNotificationRuleResponse createNotificationRule(CreateNotificationRuleRequest request);

    /** Gets a notification rule. */
    @GET
    @Path("/v1/notification-rules/{rule_id}")
    NotificationRuleResponse getNotificationRule(@PathParam("rule_id") UUID ruleId);

    /** Changes a notification rule. */
    @PATCH
    @Path("/v1/notification-rules/{rule_id}")
    NotificationRuleResponse updateNotificationRule(@PathParam("rule_id") UUID ruleId, UpdateNotificationRuleRequest request);

    /** Deletes a notification rule. */
    @DELETE
    @Path("/v1/notification-rules/{rule_id}")
    void deleteNotificationRule(@PathParam("rule_id") UUID ruleId);

    /** Lists deliveries of a rule. */
    @GET
    @Path("/v1/notification-rules/{rule_id}/deliveries")
    Page<NotificationDeliveryResponse> listNotificationDeliveries(@PathParam("rule_id") UUID ruleId,
            @QueryParam("limit") @Nullable Integer limit, @QueryParam("offset") @Nullable Integer offset);

    /** Sends a test notification. */
    @POST
    @Path("/v1/notification-rules/{rule_id}/test")
    NotificationDeliveryResponse testNotificationRule(@PathParam("rule_id") UUID ruleId);

    /** Creates an organization. */
    @POST
    @Path("/v1/organizations")
    CreatedOrganizationResponse createOrganization(CreateOrganizationRequest request);

    /** Changes an organization's plan. */
    @PATCH
    @Path("/v1/organizations/{id}")
    OrganizationResponse updateOrganization(@PathParam("id") UUID id, UpdateOrganizationRequest request);

    /** Returns the identity of the key. */
    @GET
    @Path("/v1/whoami")
    WhoamiResponse whoami();

    /** Lists workspaces. */
    @GET
    @Path("/v1/workspaces")
    Page<WorkspaceResponse> listWorkspaces(@QueryParam("limit") @Nullable Integer limit,
            @QueryParam("offset") @Nullable Integer offset);

    /** Creates a workspace. */
    @POST
    @Path("/v1/workspaces")
    WorkspaceResponse createWorkspace(CreateWorkspaceRequest request);

    /** Lists deployments. */
    @GET
    @Path("/v2/deployments")
    Page<DeploymentResponse> listDeployments(@QueryParam("limit") @Nullable Integer limit,
            @QueryParam("name") @Nullable String name, @QueryParam("name_contains") @Nullable String nameContains,
            @QueryParam("offset") @Nullable Integer offset, @QueryParam("status") @Nullable String status);

    /** Creates a deployment. */
    @POST
    @Path("/v2/deployments")
    DeploymentResponse createDeployment(CreateDeploymentRequest request);

    /** Changes a deployment. */
    @PATCH
    @Path("/v2/deployments/{deployment_id}")
    DeploymentResponse updateDeployment(@PathParam("deployment_id") UUID deploymentId, UpdateDeploymentRequest request);

    /** Gets a deployment. */
    @GET
    @Path("/v2/deployments/{deployment_id}")
    DeploymentResponse getDeployment(@PathParam("deployment_id") UUID deploymentId);

    /** Deletes a deployment. */
    @DELETE
    @Path("/v2/deployments/{deployment_id}")
    void deleteDeployment(@PathParam("deployment_id") UUID deploymentId);

    /** Lists revisions. */
    @GET
    @Path("/v2/deployments/{deployment_id}/revisions")
    Page<RevisionResponse> listDeploymentRevisions(@PathParam("deployment_id") UUID deploymentId,
            @QueryParam("limit") @Nullable Integer limit, @QueryParam("offset") @Nullable Integer offset,
            @QueryParam("status") @Nullable String status);

    /** Measures a deployment's application. */
    @GET
    @Path("/v2/deployments/{deployment_id}/status")
    ApplicationStatusResponse getDeploymentStatus(@PathParam("deployment_id") UUID deploymentId);

    /** Creates a revision. */
    @POST
    @Path("/v2/deployments/{deployment_id}/revisions")
    RevisionResponse createDeploymentRevision(@PathParam("deployment_id") UUID deploymentId, UpdateDeploymentRequest request);

    /** Gets a revision. */
    @GET
    @Path("/v2/deployments/{deployment_id}/revisions/{revision_id}")
    RevisionResponse getDeploymentRevision(@PathParam("deployment_id") UUID deploymentId,
            @PathParam("revision_id") UUID revisionId, @QueryParam("wait") @Nullable String wait);

    /** Interrupts a revision. */
    @POST
    @Path("/v2/deployments/{deployment_id}/revisions/{revision_id}/interrupt")
    RevisionResponse interruptRevision(@PathParam("deployment_id") UUID deploymentId,
            @PathParam("revision_id") UUID revisionId);

    /** Reads a revision's log; {@code phase}, {@code q}, {@code level} and {@code since} are for the server log. */
    @GET
    @Path("/v2/deployments/{deployment_id}/revisions/{revision_id}/logs")
    RevisionLogsResponse getRevisionLogs(@PathParam("deployment_id") UUID deploymentId,
            @PathParam("revision_id") UUID revisionId, @QueryParam("phase") @Nullable String phase,
            @QueryParam("limit") @Nullable Integer limit, @QueryParam("offset") @Nullable Long offset,
            @QueryParam("q") @Nullable String text, @QueryParam("level") @Nullable String level,
            @QueryParam("since") @Nullable String since);

    /** Reads the first lines of the log of a revision's build and deployment. */
    default RevisionLogsResponse getRevisionLogs(UUID deploymentId, UUID revisionId) {
        return getRevisionLogs(deploymentId, revisionId, null, null, null, null, null, null);
    }

    /** Deploys a revision's source again. */
    @POST
    @Path("/v2/deployments/{deployment_id}/revisions/{revision_id}/redeploy")
    DeploymentResponse redeployRevision(@PathParam("deployment_id") UUID deploymentId,
            @PathParam("revision_id") UUID revisionId);
}
