package dev.waybill.console.oidc;

import java.util.Locale;
import java.util.Optional;

import jakarta.inject.Singleton;

import dev.waybill.console.ConsoleConfig;
import dev.waybill.console.session.SessionCipher;
import io.quarkus.oidc.OidcRequestContext;
import io.quarkus.oidc.OidcTenantConfig;
import io.quarkus.oidc.OidcTenantConfigBuilder;
import io.quarkus.oidc.TenantConfigResolver;
import io.quarkus.oidc.runtime.OidcTenantConfig.ApplicationType;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;

/**
 * Configures the code flow from {@code waybill.console.oidc.*}, for its own path only. The issuer is contacted at the first
 * sign-in, so the console starts and accepts API keys without it.
 */
@Singleton
class OidcTenant implements TenantConfigResolver {

    static final String PATH = "/session/oidc";

    private final Optional<OidcTenantConfig> tenant;

    OidcTenant(ConsoleConfig config, SessionCipher cipher) {
        ConsoleConfig.Oidc oidc = config.oidc();
        this.tenant = oidc.issuer().map(String::strip).filter(issuer -> !issuer.isEmpty())
                .map(issuer -> configure(issuer, oidc, cipher));
    }

    boolean isEnabled() {
        return tenant.isPresent();
    }

    @Override
    public Uni<OidcTenantConfig> resolve(RoutingContext request, OidcRequestContext<OidcTenantConfig> context) {
        return request.request().path().equals(PATH) ? Uni.createFrom().item(tenant.orElse(null))
                : Uni.createFrom().nullItem();
    }

    private static OidcTenantConfig configure(String issuer, ConsoleConfig.Oidc oidc, SessionCipher cipher) {
        String clientId = oidc.clientId().filter(id -> !id.isBlank()).orElseThrow(() -> new IllegalStateException(
                "waybill.console.oidc.client-id is missing: set the id of the console at the issuer"));
        String scheme = issuer.toLowerCase(Locale.ROOT);
        if (!scheme.startsWith("https://") && !scheme.startsWith("http://")) {
            throw new IllegalStateException("waybill.console.oidc.issuer must be an https URL");
        }
        OidcTenantConfigBuilder builder = OidcTenantConfig.authServerUrl(issuer)
                .tenantId("waybill")
                .applicationType(ApplicationType.WEB_APP)
                .clientId(clientId)
                .token().issuer(issuer).end()
                .tokenStateManager().encryptionSecret(cipher.derive("openid connect tokens")).end();
        oidc.clientSecret().filter(secret -> !secret.isBlank()).ifPresent(builder::credentials);
        return builder.authentication()
                .redirectPath(PATH)
                // The address with the path to return to is requested again after the code was exchanged.
                .restorePathAfterRedirect()
                .pkceRequired()
                .nonceRequired()
                // A new attempt after an abandoned one has no state; OidcRoutes rejects responses without their state cookie.
                .failOnMissingStateParam(false)
                .stateSecret(cipher.derive("openid connect state"))
                .cookiePath(PATH)
                .addOpenidScope(false)
                .scopes(oidc.scopes())
                .extraParams(oidc.parameters())
                .end().build();
    }
}
