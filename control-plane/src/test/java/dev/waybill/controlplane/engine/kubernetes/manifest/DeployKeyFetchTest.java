package dev.waybill.controlplane.engine.kubernetes.manifest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import com.jcraft.jsch.KeyPair;

import dev.waybill.controlplane.engine.RevisionSpec.ApplicationSource.Commit;
import dev.waybill.controlplane.engine.kubernetes.manifest.Containers.CredentialFiles;
import dev.waybill.controlplane.engine.kubernetes.manifest.Containers.InitScripts;
import dev.waybill.controlplane.source.Credential.DeployKey;
import dev.waybill.controlplane.source.TestRepository;
import dev.waybill.controlplane.source.ssh.GitSshServer;
import dev.waybill.controlplane.source.ssh.GitSshServer.Key;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;

/**
 * The init container {@code fetch} with a deploy key: its command, environment and volume files, as a user that only those
 * files define.
 */
class DeployKeyFetchTest {

    private static final long USER = 10001;

    @TempDir
    private Path folder;

    private GitSshServer server;
    private TestRepository repository;
    private Key key;
    private String url;
    private String commit;

    @BeforeEach
    void serve() throws Exception {
        assumeTrue(exists("git") && exists("ssh"), "git or ssh is missing on this machine");
        key = Key.of(KeyPair.ED25519, 0);
        server = GitSshServer.start(key.open());
        repository = TestRepository.in(folder.resolve("repository.git")).file("langgraph.json", "{}");
        commit = repository.commit();
        url = server.serve("/acme/chat.git", repository);
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        for (String open : List.of("tmp", "application")) {
            Files.setPosixFilePermissions(Files.createDirectory(folder.resolve(open)),
                    PosixFilePermissions.fromString("rwxrwxrwx"));
        }
        for (Map.Entry<String, String> script : InitScripts.all().entrySet()) {
            write("scripts", script.getKey(), script.getValue());
        }
    }

    @AfterEach
    void close() throws IOException {
        if (server != null) {
            server.close();
            repository.close();
        }
    }

    @Test
    void fetchesWithTheKeyFromAKnownHost() throws Exception {
        ProcessResult fetch = fetch(server.knownHosts(), List.of());

        assertThat(fetch.code()).as(fetch.output()).isZero();
        assertThat(folder.resolve("application/repository/langgraph.json")).hasContent("{}");
        assertThat(folder.resolve("tmp/.waybill-key")).as("its copy that ssh reads").doesNotExist();
        assertThat(fetch.output()).doesNotContain("PRIVATE KEY");
    }

    @Test
    void acceptsAHostKeyWithoutHostName() throws Exception {
        String unnamed = server.knownHosts().substring(server.knownHosts().indexOf(' ') + 1);

        assertThat(fetch(unnamed, List.of()).code()).isZero();
    }

    @Test
    void rejectsAnUnknownHostKey() throws Exception {
        ProcessResult fetch = fetch("ssh-ed25519 " + key.open().replaceFirst("\\S+ ", ""), List.of());

        assertThat(fetch.code()).as(fetch.output()).isEqualTo(10);
        assertThat(fetch.output()).contains("Host key verification failed");
        assertThat(folder.resolve("application/repository/langgraph.json")).doesNotExist();
    }

    @Test
    void worksWithAnUnnamedUser() throws Exception {
        assumeTrue(canBecomeAnother(), "only root can become another user, with its own view of the file system");
        List<String> another = List.of("setpriv", "--reuid=" + USER, "--regid=" + USER, "--clear-groups");
        List<String> mounted = new ArrayList<>(List.of("unshare", "--mount", "sh", "-c",
                "mount --bind " + folder.resolve("credential/passwd") + " /etc/passwd && exec \"$@\"", "sh"));
        mounted.addAll(another);

        ProcessResult without = fetch(server.knownHosts(), another);
        ProcessResult with = fetch(server.knownHosts(), mounted);

        assertThat(without.output()).contains("No user exists for uid " + USER);
        assertThat(with.code()).as(with.output()).isZero();
        assertThat(folder.resolve("application/repository/langgraph.json")).exists();
    }

    /** @param as a command prefix that switches the user */
    private ProcessResult fetch(String knownHosts, List<String> as) throws IOException, InterruptedException {
        DeployKey credential = new DeployKey(key.secret(), knownHosts);
        for (Map.Entry<String, String> file : CredentialFiles.of(credential, USER).entrySet()) {
            write("credential", file.getKey(), file.getValue());
        }
        Commit source = new Commit(url, commit, "langgraph.json", credential, null, null);
        Container container = new Containers(RevisionSpecFixtures.config()).fetch(RevisionSpecFixtures.plan(source), source,
                "image");
        List<String> command = new ArrayList<>(as);
        container.getCommand().forEach(word -> command.add(here(word)));
        Path output = folder.resolve("output");
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
        Map<String, String> environment = new TreeMap<>(Map.of("PATH", System.getenv("PATH")));
        for (EnvVar variable : container.getEnv()) {
            environment.put(variable.getName(), here(variable.getValue()));
        }
        builder.environment().clear();
        builder.environment().putAll(environment);
        int code = builder.start().waitFor();
        return new ProcessResult(code, Files.readString(output));
    }

    /** Replaces the container's volume paths with this test's folders. */
    private String here(String value) {
        return value.replaceFirst("^/(scripts|credential|application|tmp)(?=/|$)", folder + "/$1");
    }

    private void write(String volume, String name, String text) throws IOException {
        Path file = Files.createDirectories(folder.resolve(volume)).resolve(name);
        Files.writeString(file, text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private boolean canBecomeAnother() throws IOException, InterruptedException {
        if (!exists("setpriv") || !exists("unshare")) {
            return false;
        }
        return new ProcessBuilder("unshare", "--mount", "setpriv", "--reuid=" + USER, "true").start().waitFor() == 0;
    }

    private static boolean exists(String program) {
        return Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .anyMatch(path -> Files.isExecutable(Path.of(path, program)));
    }

    private record ProcessResult(int code, String output) {
    }
}
