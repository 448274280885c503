package dev.waybill.controlplane.account;

import java.util.UUID;
import java.util.function.Consumer;

import org.eclipse.microprofile.config.ConfigProvider;
import org.jose4j.jwk.PublicJsonWebKey;
import org.jose4j.jws.AlgorithmIdentifiers;
import org.jose4j.jws.JsonWebSignature;
import org.jose4j.jwt.JwtClaims;
import org.jose4j.lang.JoseException;

/** Signs tokens as the tests' issuer does. */
final class SignedToken {

    private SignedToken() {
    }

    /** Returns a valid token of a workspace, signed with the RSA key of that id, after a change to its claims. */
    static String rsa(String keyId, UUID workspaceId, Consumer<JwtClaims> change) throws JoseException {
        JwtClaims claims = claims(workspaceId);
        change.accept(claims);
        return sign(key(keyId), AlgorithmIdentifiers.RSA_USING_SHA256, claims);
    }

    static String sign(PublicJsonWebKey key, String algorithm, JwtClaims claims) throws JoseException {
        JsonWebSignature signature = new JsonWebSignature();
        signature.setAlgorithmHeaderValue(algorithm);
        signature.setKeyIdHeaderValue(key.getKeyId());
        signature.setKey(key.getPrivateKey());
        signature.setPayload(claims.toJson());
        return signature.getCompactSerialization();
    }

    static JwtClaims claims(UUID workspaceId) {
        JwtClaims claims = new JwtClaims();
        claims.setIssuer("https://issuer.test");
        claims.setSubject("user");
        claims.setExpirationTimeMinutesInTheFuture(5);
        claims.setClaim("tenant_id", workspaceId.toString());
        return claims;
    }

    static PublicJsonWebKey key(String name) throws JoseException {
        return PublicJsonWebKey.Factory
                .newPublicJwk(ConfigProvider.getConfig().getValue("waybill.test.jwk." + name, String.class));
    }
}
