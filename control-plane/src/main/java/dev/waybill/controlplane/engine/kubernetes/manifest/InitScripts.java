package dev.waybill.controlplane.engine.kubernetes.manifest;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/** The shell scripts of init containers, loaded from resources. */
final class InitScripts {

    static final String FETCH = "fetch.sh";
    static final String ASKPASS = "askpass.sh";
    static final String INSTALL = "install.sh";

    private InitScripts() {
    }

    /** Returns the scripts by file name. */
    static Map<String, String> all() {
        Map<String, String> texts = new TreeMap<>();
        for (String name : new String[] { FETCH, ASKPASS, INSTALL }) {
            texts.put(name, read(name));
        }
        return texts;
    }

    private static String read(String name) {
        try (InputStream in = InitScripts.class.getResourceAsStream("/kubernetes/" + name)) {
            if (in == null) {
                throw new IllegalStateException("missing resource kubernetes/" + name);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
