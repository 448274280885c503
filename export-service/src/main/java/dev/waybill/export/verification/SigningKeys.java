package dev.waybill.export.verification;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;

/** Generates key pairs and signs with them (Ed25519, RFC 8032). */
final class SigningKeys {

    static final String ALGORITHM = "Ed25519";

    private SigningKeys() {
    }

    static EncodedKeyPair generate() {
        try {
            KeyPair pair = KeyPairGenerator.getInstance(ALGORITHM).generateKeyPair();
            return new EncodedKeyPair(pair.getPublic().getEncoded(), pair.getPrivate().getEncoded());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
        }
    }

    /**
     * Returns the signature of the text's UTF-8 bytes in Base64 and erases the key.
     *
     * @param privateKey PKCS #8
     */
    static String sign(byte[] privateKey, String text) {
        try {
            Signature signature = Signature.getInstance(ALGORITHM);
            signature.initSign(KeyFactory.getInstance(ALGORITHM).generatePrivate(new PKCS8EncodedKeySpec(privateKey)));
            signature.update(text.getBytes(StandardCharsets.UTF_8));
            return Base64.getEncoder().encodeToString(signature.sign());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("the stored key is not a private key of " + ALGORITHM, e);
        } finally {
            Arrays.fill(privateKey, (byte) 0);
        }
    }

    /** Returns a public key in PEM format. */
    static String pem(byte[] publicKey) {
        return "-----BEGIN PUBLIC KEY-----\n" + Base64.getMimeEncoder(64, new byte[] { '\n' }).encodeToString(publicKey)
                + "\n-----END PUBLIC KEY-----\n";
    }

    /**
     * A key pair.
     *
     * @param publicKey X.509 SubjectPublicKeyInfo
     * @param privateKey PKCS #8
     */
    record EncodedKeyPair(byte[] publicKey, byte[] privateKey) {
    }
}
