package dev.waybill.controlplane.notification;

import java.util.List;
import java.util.UUID;

import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PATCH;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;

import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponseSchema;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.ResponseStatus;
import org.jboss.resteasy.reactive.RestPath;
import org.jboss.resteasy.reactive.RestResponse;
import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.notification.CreateNotificationRuleRequest;
import dev.waybill.common.api.notification.CreatedNotificationRuleResponse;
import dev.waybill.common.api.notification.NotificationDeliveryResponse;
import dev.waybill.common.api.notification.NotificationRuleResponse;
import dev.waybill.common.api.notification.UpdateNotificationRuleRequest;
import dev.waybill.common.idempotency.Idempotent;
import dev.waybill.common.page.PageParameters;
import dev.waybill.common.page.QueryParameters;
import dev.waybill.common.page.Resources;
import dev.waybill.common.security.CallerContext;
import dev.waybill.common.security.Role;
import dev.waybill.common.security.WorkspaceRequired;
import io.smallrye.mutiny.Uni;

/** Notification rules: members read them, admins change them (docs/notifications.md). */
@Path("/v1/notification-rules")
@Produces(MediaType.APPLICATION_JSON)
@WorkspaceRequired
@RolesAllowed(Role.MEMBERS)
@Tag(name = "Notifications", description = "Webhooks and e-mail for events of a workspace.")
class NotificationRuleResource {

    private final NotificationRuleService rules;
    private final CallerContext context;

    NotificationRuleResource(NotificationRuleService rules, CallerContext context) {
        this.rules = rules;
        this.context = context;
    }

    @GET
    @Operation(operationId = "list_notification_rules", summary = "List notification rules", description = "Newest first, as a JSON array.")
    public Uni<List<NotificationRuleResponse>> list() {
        return rules.list(context.workspace());
    }

    @POST
    @Idempotent
    @RolesAllowed(Role.ADMINS)
    @Consumes(MediaType.APPLICATION_JSON)
    @ResponseStatus(201)
    @Operation(operationId = "create_notification_rule", summary = "Create a notification rule", description = """
            With webhook_url or email_to. The response contains the secret that signs webhooks, which cannot be retrieved later. \
            409 if the workspace has 20 rules.""")
    @APIResponseSchema(value = CreatedNotificationRuleResponse.class, responseCode = "201")
    public Uni<CreatedNotificationRuleResponse> create(CreateNotificationRuleRequest request) {
        return rules.create(context.workspace(), request);
    }

    @GET
    @Path("/{rule_id}")
    @Operation(operationId = "get_notification_rule", summary = "Get a notification rule")
    public Uni<NotificationRuleResponse> get(@RestPath("rule_id") UUID id) {
        return rules.get(context.workspace(), id);
    }

    @PATCH
    @Path("/{rule_id}")
    @RolesAllowed(Role.ADMINS)
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(operationId = "update_notification_rule", summary = "Change a notification rule", description = """
            Members that are null or absent are not changed. Later attempts of pending deliveries use the change; disabling the rule \
            fails them.""")
    public Uni<NotificationRuleResponse> update(@RestPath("rule_id") UUID id, UpdateNotificationRuleRequest request) {
        return rules.update(context.workspace(), id, request);
    }

    @DELETE
    @Path("/{rule_id}")
    @RolesAllowed(Role.ADMINS)
    @ResponseStatus(204)
    @Operation(operationId = "delete_notification_rule", summary = "Delete a notification rule", description = "Deletes its deliveries as well; pending ones are not sent.")
    public Uni<Void> delete(@RestPath("rule_id") UUID id) {
        return rules.delete(context.workspace(), id);
    }

    @GET
    @Path("/{rule_id}/deliveries")
    @Operation(operationId = "list_notification_deliveries", summary = "List deliveries of a rule", description = "Newest first. Deliveries that have ended are deleted after 30 days.")
    public Uni<RestResponse<Resources<NotificationDeliveryResponse>>> deliveries(@RestPath("rule_id") UUID id,
            @QueryParam("limit") @Nullable String limit, @QueryParam("offset") @Nullable String offset,
            @Context UriInfo uri) {
        QueryParameters.requireKnown(uri, "limit", "offset");
        PageParameters page = PageParameters.parse(limit, offset);
        return rules.deliveries(context.workspace(), id, page)
                .map(found -> Resources.response(found, page));
    }

    @POST
    @Path("/{rule_id}/test")
    @RolesAllowed(Role.ADMINS)
    @ResponseStatus(202)
    @Operation(operationId = "test_notification_rule", summary = "Send a test notification", description = """
            Sends a notification of type test at once; the rule's deliveries show its result. 409 if the rule is disabled, or has \
            1,000 pending deliveries.""")
    @APIResponseSchema(value = NotificationDeliveryResponse.class, responseCode = "202")
    public Uni<NotificationDeliveryResponse> test(@RestPath("rule_id") UUID id) {
        return rules.test(context.workspace(), id);
    }
}
