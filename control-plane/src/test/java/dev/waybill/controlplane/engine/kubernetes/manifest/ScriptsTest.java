package dev.waybill.controlplane.engine.kubernetes.manifest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.waybill.controlplane.source.GitServer;
import dev.waybill.controlplane.source.TestRepository;

/** The programs of init containers, run by the shell of this machine as kubelet would run them. */
class ScriptsTest {

    private static final String TOKEN = "token-that-nobody-may-see";

    @TempDir
    private Path folder;

    private GitServer git;
    private TestRepository repository;

    @BeforeAll
    static void needsGit() {
        assumeTrue(Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .anyMatch(path -> Files.isExecutable(Path.of(path, "git"))), "there is no git on this machine");
    }

    @BeforeEach
    void serve() throws IOException {
        git = GitServer.start();
        repository = TestRepository.in(folder.resolve("repository.git"));
        for (Map.Entry<String, String> script : Scripts.all().entrySet()) {
            Path file = folder.resolve(script.getKey());
            Files.writeString(file, script.getValue());
            assertThat(file.toFile().setExecutable(true)).isTrue();
        }
    }

    @AfterEach
    void close() {
        git.close();
        repository.close();
    }

    @Test
    void theCommitIsFetchedAndNothingElse() throws Exception {
        // Given
        String first = repository.file("langgraph.json", "{}").file("graphs/agent.mjs", "first").commit();
        repository.file("graphs/agent.mjs", "second").commit();
        Files.createDirectories(files().resolve("left/over"));

        // When
        Ran fetch = fetch(git.serve("/acme/chat.git", repository), first, Map.of());

        // Then
        assertThat(fetch.code()).as(fetch.output()).isZero();
        assertThat(files().resolve("graphs/agent.mjs")).hasContent("first");
        assertThat(files().resolve(".git")).doesNotExist();
        assertThat(files().resolve("left")).doesNotExist();
    }

    @Test
    void theTokenOpensTheRepositoryAndIsSeenNowhere() throws Exception {
        // Given
        String commit = repository.file("langgraph.json", "{}").commit();
        String url = git.serveTo(TOKEN, "/acme/closed.git", repository);
        Path credential = Files.createDirectories(folder.resolve("credential"));
        Files.writeString(credential.resolve("token"), TOKEN);

        // When
        Ran without = fetch(url, commit, Map.of());
        Ran with = fetch(url, commit, Map.of("WAYBILL_CREDENTIAL", credential.toString()));

        // Then
        assertThat(without.code()).isEqualTo(10);
        assertThat(with.code()).as(with.output()).isZero();
        assertThat(files().resolve("langgraph.json")).exists();
        assertThat(with.output() + without.output()).doesNotContain(TOKEN);
    }

    @Test
    void onlyTheWayThatIsAllowedIsTaken() throws Exception {
        String commit = repository.file("langgraph.json", "{}").commit();

        Ran http = fetch(git.serve("/acme/chat.git", repository), commit, Map.of("WAYBILL_TRANSPORTS", "https"));
        Ran file = fetch(folder.resolve("repository.git").toUri().toString(), commit, Map.of());
        Ran program = fetch("ext::touch " + folder.resolve("touched"), commit, Map.of());
        Ran option = fetch("--upload-pack=touch " + folder.resolve("touched"), commit, Map.of());

        assertThat(http.code()).isEqualTo(10);
        assertThat(http.output()).contains("transport 'http' not allowed");
        assertThat(file.code()).isEqualTo(10);
        assertThat(program.code()).isEqualTo(10);
        assertThat(option.code()).isEqualTo(10);
        assertThat(folder.resolve("touched")).doesNotExist();
    }

    @Test
    void aCommitThatIsNoneIsRefusedBeforeGitIsAsked() throws Exception {
        Ran fetch = fetch(git.serve("/acme/chat.git", repository), "--upload-pack=touch x", Map.of());

        assertThat(fetch.code()).isEqualTo(2);
    }

    @Test
    void aLinkThatLeadsOutIsRefused() throws Exception {
        // Given
        String commit = repository.link("outside", "../../../etc/passwd").commit();

        // When
        Ran fetch = fetch(git.serve("/acme/chat.git", repository), commit, Map.of());

        // Then
        assertThat(fetch.code()).as(fetch.output()).isEqualTo(3);
        assertThat(fetch.output()).contains("leads out of the repository");
    }

    @Test
    void theCustomersCommandsRunInTheirFolderAndTheirEndIsTold() throws Exception {
        // Given
        Path application = Files.createDirectories(folder.resolve("application"));

        // When
        Ran good = run("install.sh", Map.of("WAYBILL_APPLICATION", application.toString(), "WAYBILL_INSTALL", "pwd > made",
                "WAYBILL_BUILD", "cp made built && echo 'It''s built'"));
        Ran bad = run("install.sh", Map.of("WAYBILL_APPLICATION", application.toString(), "WAYBILL_INSTALL",
                "echo no such package >&2; exit 7", "WAYBILL_BUILD", "touch never"));

        // Then
        assertThat(good.code()).as(good.output()).isZero();
        assertThat(application.resolve("built")).content().contains(application.toString());
        assertThat(bad.code()).isEqualTo(7);
        assertThat(bad.output()).contains("no such package", "ended with 7");
        assertThat(application.resolve("never")).doesNotExist();
    }

    @Test
    void withoutCommandsTheFilesSayWhatIsInstalled() throws Exception {
        // Given: programs that tell how they were called
        Path bin = Files.createDirectories(folder.resolve("bin"));
        for (String program : new String[] { "npm", "python3" }) {
            Files.writeString(bin.resolve(program), "#!/bin/sh\necho \"called: " + program + " $*\"\n");
            assertThat(bin.resolve(program).toFile().setExecutable(true)).isTrue();
        }
        Path application = Files.createDirectories(folder.resolve("application"));
        Map<String, String> environment = Map.of("WAYBILL_APPLICATION", application.toString(), "PATH",
                bin + ":" + System.getenv("PATH"));

        // When
        Ran nothing = run("install.sh", environment);
        Files.writeString(application.resolve("package.json"), "{}");
        Ran loose = run("install.sh", environment);
        Files.writeString(application.resolve("package-lock.json"), "{}");
        Files.writeString(application.resolve("requirements.txt"), "");
        Ran both = run("install.sh", environment);

        // Then
        assertThat(nothing.output()).doesNotContain("called");
        assertThat(loose.output()).contains("called: npm install").doesNotContain("python3");
        assertThat(both.output()).contains("called: npm ci", "called: python3 -m pip install");
    }

    private Path files() {
        return folder.resolve("files");
    }

    private Ran fetch(String url, String commit, Map<String, String> more) throws IOException, InterruptedException {
        Map<String, String> environment = new TreeMap<>(Map.of("WAYBILL_REPOSITORY", url, "WAYBILL_COMMIT", commit,
                "WAYBILL_FOLDER", files().toString(), "WAYBILL_TRANSPORTS", "http"));
        environment.putAll(more);
        return run("fetch.sh", environment);
    }

    private Ran run(String script, Map<String, String> environment) throws IOException, InterruptedException {
        Path output = folder.resolve("output");
        ProcessBuilder builder = new ProcessBuilder("sh", folder.resolve(script).toString())
                .redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().clear();
        builder.environment().putAll(Map.of("PATH", System.getenv("PATH"), "HOME", folder.toString()));
        builder.environment().putAll(environment);
        int code = builder.start().waitFor();
        return new Ran(code, Files.readString(output));
    }

    private record Ran(int code, String output) {
    }
}
