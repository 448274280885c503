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

import dev.waybill.controlplane.engine.kubernetes.manifest.Containers.InitScripts;
import dev.waybill.controlplane.source.GitServer;
import dev.waybill.controlplane.source.TestRepository;

/** Runs the init containers' scripts with this machine's shell. */
class InitScriptsTest {

    private static final String TOKEN = "secret-token";

    @TempDir
    private Path folder;

    private GitServer git;
    private TestRepository repository;

    @BeforeAll
    static void needsGit() {
        assumeTrue(Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .anyMatch(path -> Files.isExecutable(Path.of(path, "git"))), "git is missing on this machine");
    }

    @BeforeEach
    void serve() throws IOException {
        git = GitServer.start();
        repository = TestRepository.in(folder.resolve("repository.git"));
        for (Map.Entry<String, String> script : InitScripts.all().entrySet()) {
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
    void fetchesOnlyTheCommit() throws Exception {
        // Given
        String first = repository.file("langgraph.json", "{}").file("graphs/agent.mjs", "first").commit();
        repository.file("graphs/agent.mjs", "second").commit();
        Files.createDirectories(files().resolve("left/over"));

        // When
        ProcessResult fetch = fetch(git.serve("/acme/chat.git", repository), first, Map.of());

        // Then
        assertThat(fetch.code()).as(fetch.output()).isZero();
        assertThat(files().resolve("graphs/agent.mjs")).hasContent("first");
        assertThat(files().resolve(".git")).doesNotExist();
        assertThat(files().resolve("left")).doesNotExist();
    }

    @Test
    void tokenAuthenticatesAndIsNotPrinted() throws Exception {
        // Given
        String commit = repository.file("langgraph.json", "{}").commit();
        String url = git.serveTo(TOKEN, "/acme/closed.git", repository);
        Path credential = Files.createDirectories(folder.resolve("credential"));
        Files.writeString(credential.resolve("token"), TOKEN);

        // When
        ProcessResult without = fetch(url, commit, Map.of());
        ProcessResult with = fetch(url, commit, Map.of("WAYBILL_CREDENTIAL", credential.toString()));

        // Then
        assertThat(without.code()).isEqualTo(10);
        assertThat(with.code()).as(with.output()).isZero();
        assertThat(files().resolve("langgraph.json")).exists();
        assertThat(with.output() + without.output()).doesNotContain(TOKEN);
    }

    @Test
    void rejectsOtherGitProtocols() throws Exception {
        String commit = repository.file("langgraph.json", "{}").commit();

        ProcessResult http = fetch(git.serve("/acme/chat.git", repository), commit, Map.of("WAYBILL_TRANSPORTS", "https"));
        ProcessResult file = fetch(folder.resolve("repository.git").toUri().toString(), commit, Map.of());
        ProcessResult program = fetch("ext::touch " + folder.resolve("touched"), commit, Map.of());
        ProcessResult option = fetch("--upload-pack=touch " + folder.resolve("touched"), commit, Map.of());

        assertThat(http.code()).isEqualTo(10);
        assertThat(http.output()).contains("transport 'http' not allowed");
        assertThat(file.code()).isEqualTo(10);
        assertThat(program.code()).isEqualTo(10);
        assertThat(option.code()).isEqualTo(10);
        assertThat(folder.resolve("touched")).doesNotExist();
    }

    @Test
    void rejectsAnInvalidCommitIdBeforeRunningGit() throws Exception {
        ProcessResult fetch = fetch(git.serve("/acme/chat.git", repository), "--upload-pack=touch x", Map.of());

        assertThat(fetch.code()).isEqualTo(2);
    }

    @Test
    void rejectsALinkOutOfTheRepository() throws Exception {
        // Given
        String commit = repository.link("outside", "../../../etc/passwd").commit();

        // When
        ProcessResult fetch = fetch(git.serve("/acme/chat.git", repository), commit, Map.of());

        // Then
        assertThat(fetch.code()).as(fetch.output()).isEqualTo(3);
        assertThat(fetch.output()).contains("points outside of the repository");
    }

    @Test
    void runsCommandsInTheApplicationsDirectory() throws Exception {
        // Given
        Path application = Files.createDirectories(folder.resolve("application"));

        // When
        ProcessResult good = run("install.sh",
                Map.of("WAYBILL_APPLICATION", application.toString(), "WAYBILL_INSTALL", "pwd > made",
                        "WAYBILL_BUILD", "cp made built && echo 'It''s built'"));
        ProcessResult bad = run("install.sh", Map.of("WAYBILL_APPLICATION", application.toString(), "WAYBILL_INSTALL",
                "echo no such package >&2; exit 7", "WAYBILL_BUILD", "touch never"));

        // Then
        assertThat(good.code()).as(good.output()).isZero();
        assertThat(application.resolve("built")).content().contains(application.toString());
        assertThat(bad.code()).isEqualTo(7);
        assertThat(bad.output()).contains("no such package", "failed with exit code 7");
        assertThat(application.resolve("never")).doesNotExist();
    }

    @Test
    void choosesDefaultCommandsByManifestFiles() throws Exception {
        // Given: programs that print their arguments
        Path bin = Files.createDirectories(folder.resolve("bin"));
        for (String program : new String[] { "npm", "python3" }) {
            Files.writeString(bin.resolve(program), "#!/bin/sh\necho \"called: " + program + " $*\"\n");
            assertThat(bin.resolve(program).toFile().setExecutable(true)).isTrue();
        }
        Path application = Files.createDirectories(folder.resolve("application"));
        Map<String, String> environment = Map.of("WAYBILL_APPLICATION", application.toString(), "PATH",
                bin + ":" + System.getenv("PATH"));

        // When
        ProcessResult nothing = run("install.sh", environment);
        Files.writeString(application.resolve("package.json"), "{}");
        ProcessResult loose = run("install.sh", environment);
        Files.writeString(application.resolve("package-lock.json"), "{}");
        Files.writeString(application.resolve("requirements.txt"), "");
        ProcessResult both = run("install.sh", environment);

        // Then
        assertThat(nothing.output()).doesNotContain("called");
        assertThat(loose.output()).contains("called: npm install").doesNotContain("python3");
        assertThat(both.output()).contains("called: npm ci", "called: python3 -m pip install");
    }

    private Path files() {
        return folder.resolve("files");
    }

    private ProcessResult fetch(String url, String commit, Map<String, String> more) throws IOException, InterruptedException {
        Map<String, String> environment = new TreeMap<>(Map.of("WAYBILL_REPOSITORY", url, "WAYBILL_COMMIT", commit,
                "WAYBILL_FOLDER", files().toString(), "WAYBILL_TRANSPORTS", "http"));
        environment.putAll(more);
        return run("fetch.sh", environment);
    }

    private ProcessResult run(String script, Map<String, String> environment) throws IOException, InterruptedException {
        Path output = folder.resolve("output");
        ProcessBuilder builder = new ProcessBuilder("sh", folder.resolve(script).toString())
                .redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().clear();
        builder.environment().putAll(Map.of("PATH", System.getenv("PATH"), "HOME", folder.toString()));
        builder.environment().putAll(environment);
        int code = builder.start().waitFor();
        return new ProcessResult(code, Files.readString(output));
    }

    private record ProcessResult(int code, String output) {
    }
}
