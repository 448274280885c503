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
    void rs256TokensOpenTheirWorkspace() throws JoseException {
        // When
        HttpResult answer = withToken(signed("rsa", AlgorithmIdentifiers.RSA_USING_SHA256, claims -> {
        })).get(WHOAMI);

        // Then
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.text("tenant_id")).isEqualTo(account.workspaceId().toString());
        assertThat(answer.text("organization_id")).isEqualTo(account.organizationId().toString());
        assertThat(answer.value("api_key_id")).isNull();
        assertThat(answer.text("role")).isEqualTo("member");
    }

    @Test
    void es256TokensOpenTheirWorkspace() throws JoseException {
        // When
        HttpResult answer = withToken(signed("ec", AlgorithmIdentifiers.ECDSA_USING_P256_CURVE_AND_SHA256,
                claims -> claims.setClaim("waybill_role", "admin"))).get(WHOAMI);

        // Then
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.text("role")).isEqualTo("admin");
    }

    @Test
    void adminTokensManageOnlyTheirWorkspace() throws JoseException {
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
    void anApiKeyMayComeAsBearerToken() {
        // When
        HttpResult answer = withToken(account.key()).get(WHOAMI);

        // Then
        assertThat(answer.text("api_key_id")).isEqualTo(account.apiKeyId().toString());
    }

    @Test
    void aHeaderForAnotherWorkspaceIsForbidden() throws JoseException {
        // When
        HttpResult answer = withToken(signed("rsa", AlgorithmIdentifiers.RSA_USING_SHA256, claims -> {
        })).in(Accounts.account().create().workspaceId()).get(WHOAMI);

        // Then
        assertThat(answer.status()).isEqualTo(403);
    }

    @Test
    void tokensOfAnotherIssuerAreRefused() throws JoseException {
        refuses(signed("rsa", AlgorithmIdentifiers.RSA_USING_SHA256, claims -> claims.setIssuer("https://elsewhere.test")));
    }

    @Test
    void expiredTokensAreRefused() throws JoseException {
        refuses(signed("rsa", AlgorithmIdentifiers.RSA_USING_SHA256,
                claims -> claims.setExpirationTime(NumericDate.fromSeconds(NumericDate.now().getValue() - 60))));
    }

    @Test
    void tokensThatNeverExpireAreRefused() throws JoseException {
        refuses(signed("rsa", AlgorithmIdentifiers.RSA_USING_SHA256, claims -> claims.unsetClaim("exp")));
    }

    @Test
    void tokensOfAnUnknownWorkspaceAreRefused() throws JoseException {
        refuses(signed("rsa", AlgorithmIdentifiers.RSA_USING_SHA256,
                claims -> claims.setClaim("tenant_id", UUID.randomUUID().toString())));
    }

    @Test
    void tokensWithoutAWorkspaceAreRefused() throws JoseException {
        refuses(signed("rsa", AlgorithmIdentifiers.RSA_USING_SHA256, claims -> claims.unsetClaim("tenant_id")));
    }

    @Test
    void tokensWithoutASignatureAreRefused() throws JoseException {
        JsonWebSignature unsigned = new JsonWebSignature();
        unsigned.setAlgorithmConstraints(AlgorithmConstraints.NO_CONSTRAINTS);
        unsigned.setAlgorithmHeaderValue(AlgorithmIdentifiers.NONE);
        unsigned.setPayload(SignedToken.claims(account.workspaceId()).toJson());
        refuses(unsigned.getCompactSerialization());
    }

    @Test
    void tokensSignedWithThePublicKeyAsASecretAreRefused() throws JoseException {
        JsonWebSignature confused = new JsonWebSignature();
        confused.setAlgorithmHeaderValue(AlgorithmIdentifiers.HMAC_SHA256);
        confused.setKeyIdHeaderValue("rsa");
        confused.setKey(new HmacKey(SignedToken.key("rsa").getPublicKey().getEncoded()));
        confused.setPayload(SignedToken.claims(account.workspaceId()).toJson());
        refuses(confused.getCompactSerialization());
    }

    @Test
    void tokensOfAStrangersKeyAreRefused() throws JoseException {
        PublicJsonWebKey stranger = RsaJwkGenerator.generateJwk(2048);
        stranger.setKeyId("rsa");
        refuses(SignedToken.sign(stranger, AlgorithmIdentifiers.RSA_USING_SHA256,
                SignedToken.claims(account.workspaceId())));
    }

    private static void refuses(String token) {
        // When
        HttpResult answer = withToken(token).get(WHOAMI);

        // Then
        assertThat(answer.status()).isEqualTo(401);
        assertThat(answer.detail()).contains("bearer token").doesNotContain(token);
        assertThat(answer.header("WWW-Authenticate")).isEqualTo("Bearer");
    }

    private String signed(String key, String algorithm, Consumer<JwtClaims> change) throws JoseException {
        JwtClaims claims = SignedToken.claims(account.workspaceId());
        change.accept(claims);
        return SignedToken.sign(SignedToken.key(key), algorithm, claims);
    }
}
