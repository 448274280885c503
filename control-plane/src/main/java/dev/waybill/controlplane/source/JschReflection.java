package dev.waybill.controlplane.source;

import io.quarkus.runtime.annotations.RegisterForReflection;

/**
 * What ssh finds by name and the extension for it does not know: in a native image there would be no Ed25519, neither for
 * deploy
 * keys nor for hosts, and no key exchange of today.
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
