package dev.waybill.controlplane.engine.kubernetes.manifest;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/** The programs of init containers, which are files of this module. */
final class Scripts {

    static final String FETCH = "fetch.sh";
    static final String ASK = "ask.sh";
    static final String INSTALL = "install.sh";

    private Scripts() {
    }

    /** Texts by the names of their files. */
    static Map<String, String> all() {
        Map<String, String> texts = new TreeMap<>();
        for (String name : new String[] { FETCH, ASK, INSTALL }) {
            texts.put(name, read(name));
        }
        return texts;
    }

    private static String read(String name) {
        try (InputStream in = Scripts.class.getResourceAsStream("/kubernetes/" + name)) {
            if (in == null) {
                throw new IllegalStateException("there is no resource kubernetes/" + name);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
