package dev.waybill.controlplane.source;

import io.quarkus.runtime.annotations.RegisterForReflection;

/**
 * Registers algorithms that JSch loads by name and that the Quarkus extension does not register. Without them a native
 * image has no Ed25519 keys and no current key exchange.
 */
@RegisterForReflection(classNames = {
        "com.jcraft.jsch.DH25519MLKEM768",
        "com.jcraft.jsch.DH25519SNTRUP761",
        "com.jcraft.jsch.DHEC256MLKEM768",
        "com.jcraft.jsch.DHEC384MLKEM1024",
        "com.jcraft.jsch.jce.HMACSHA256SSHCOM",
        "com.jcraft.jsch.jce.KeyPairGenEdDSA",
        "com.jcraft.jsch.jce.MLKEM1024",
        "com.jcraft.jsch.jce.MLKEM768",
        "com.jcraft.jsch.jce.PBKDF2",
        "com.jcraft.jsch.jce.SignatureEd25519",
        "com.jcraft.jsch.jce.SignatureEd448",
        "com.jcraft.jsch.jce.XDH" })
final class JschReflection {

    private JschReflection() {
    }
}
