package dev.waybill.controlplane.account;

import static dev.waybill.controlplane.ApiClient.withToken;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import java.util.function.Consumer;

import org.jose4j.jwa.AlgorithmConstraints;
import org.jose4j.jwk.PublicJsonWebKey;
import org.jose4j.jwk.RsaJwkGenerator;
import org.jose4j.jws.AlgorithmIdentifiers;
import org.jose4j.jws.JsonWebSignature;
import org.jose4j.jwt.JwtClaims;
import org.jose4j.jwt.NumericDate;
import org.jose4j.keys.HmacKey;
import org.jose4j.lang.JoseException;
import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import dev.waybill.controlplane.HttpResult;
import io.quarkus.test.junit.QuarkusTest;

@QuarkusTest
class BearerTokenTest {

    private static final String WHOAMI = "/v1/whoami";

    private final Account account = Accounts.account().create();

    @Test
    void rs256TokenHasAccessToItsWorkspace() throws JoseException {
        // When
        HttpResult response = withToken(signed("rsa", AlgorithmIdentifiers.RSA_USING_SHA256, claims -> {
        })).get(WHOAMI);

        // Then
        assertThat(response.status()).isEqualTo(200);
        assertThat(response.text("tenant_id")).isEqualTo(account.workspaceId().toString());
        assertThat(response.text("organization_id")).isEqualTo(account.organizationId().toString());
        assertThat(response.value("api_key_id")).isNull();
        assertThat(response.text("role")).isEqualTo("member");
    }

    @Test
    void es256TokenHasAccessToItsWorkspace() throws JoseException {
        // When
        HttpResult response = withToken(signed("ec", AlgorithmIdentifiers.ECDSA_USING_P256_CURVE_AND_SHA256,
                claims -> claims.setClaim("waybill_role", "admin"))).get(WHOAMI);

        // Then
        assertThat(response.status()).isEqualTo(200);
        assertThat(response.text("role")).isEqualTo("admin");
    }

    @Test
    void adminTokenManagesOnlyItsWorkspace() throws JoseException {
        // Given
        String token = signed("rsa", AlgorithmIdentifiers.RSA_USING_SHA256, claims -> claims.setClaim("waybill_role", "admin"));

        // When
        HttpResult keys = withToken(token).get("/v1/api-keys");
        HttpResult workspace = withToken(token).post("/v1/workspaces", "{\"name\": \"x\"}");

        // Then
        assertThat(keys.list("resources.id", UUID.class)).containsExactly(account.apiKeyId());
        assertThat(workspace.status()).isEqualTo(403);
    }

    @Test
    void apiKeyIsAcceptedAsBearerToken() {
        // When
        HttpResult response = withToken(account.key()).get(WHOAMI);

        // Then
        assertThat(response.text("api_key_id")).isEqualTo(account.apiKeyId().toString());
    }

    @Test
    void tenantHeaderOfOtherWorkspaceIsForbidden() throws JoseException {
        // When
        HttpResult response = withToken(signed("rsa", AlgorithmIdentifiers.RSA_USING_SHA256, claims -> {
        })).in(Accounts.account().create().workspaceId()).get(WHOAMI);

        // Then
        assertThat(response.status()).isEqualTo(403);
    }

    @Test
    void tokenOfOtherIssuerIsRejected() throws JoseException {
        assertRejected(
                signed("rsa", AlgorithmIdentifiers.RSA_USING_SHA256, claims -> claims.setIssuer("https://elsewhere.test")));
    }

    @Test
    void expiredTokenIsRejected() throws JoseException {
        assertRejected(signed("rsa", AlgorithmIdentifiers.RSA_USING_SHA256,
                claims -> claims.setExpirationTime(NumericDate.fromSeconds(NumericDate.now().getValue() - 60))));
    }

    @Test
    void tokenWithoutExpiryIsRejected() throws JoseException {
        assertRejected(signed("rsa", AlgorithmIdentifiers.RSA_USING_SHA256, claims -> claims.unsetClaim("exp")));
    }

    @Test
    void tokenOfUnknownWorkspaceIsRejected() throws JoseException {
        assertRejected(signed("rsa", AlgorithmIdentifiers.RSA_USING_SHA256,
                claims -> claims.setClaim("tenant_id", UUID.randomUUID().toString())));
    }

    @Test
    void tokenWithoutWorkspaceIsRejected() throws JoseException {
        assertRejected(signed("rsa", AlgorithmIdentifiers.RSA_USING_SHA256, claims -> claims.unsetClaim("tenant_id")));
    }

    @Test
    void unsignedTokenIsRejected() throws JoseException {
        JsonWebSignature unsigned = new JsonWebSignature();
        unsigned.setAlgorithmConstraints(AlgorithmConstraints.NO_CONSTRAINTS);
        unsigned.setAlgorithmHeaderValue(AlgorithmIdentifiers.NONE);
        unsigned.setPayload(SignedToken.claims(account.workspaceId()).toJson());
        assertRejected(unsigned.getCompactSerialization());
    }

    @Test
    void tokenSignedWithPublicKeyAsSecretIsRejected() throws JoseException {
        JsonWebSignature confused = new JsonWebSignature();
        confused.setAlgorithmHeaderValue(AlgorithmIdentifiers.HMAC_SHA256);
        confused.setKeyIdHeaderValue("rsa");
        confused.setKey(new HmacKey(SignedToken.key("rsa").getPublicKey().getEncoded()));
        confused.setPayload(SignedToken.claims(account.workspaceId()).toJson());
        assertRejected(confused.getCompactSerialization());
    }

    @Test
    void tokenSignedByUnknownKeyIsRejected() throws JoseException {
        PublicJsonWebKey stranger = RsaJwkGenerator.generateJwk(2048);
        stranger.setKeyId("rsa");
        assertRejected(SignedToken.sign(stranger, AlgorithmIdentifiers.RSA_USING_SHA256,
                SignedToken.claims(account.workspaceId())));
    }

    private static void assertRejected(String token) {
        // When
        HttpResult response = withToken(token).get(WHOAMI);

        // Then
        assertThat(response.status()).isEqualTo(401);
        assertThat(response.detail()).contains("bearer token").doesNotContain(token);
        assertThat(response.header("WWW-Authenticate")).isEqualTo("Bearer");
    }

    private String signed(String key, String algorithm, Consumer<JwtClaims> change) throws JoseException {
        JwtClaims claims = SignedToken.claims(account.workspaceId());
        change.accept(claims);
        return SignedToken.sign(SignedToken.key(key), algorithm, claims);
    }
}
