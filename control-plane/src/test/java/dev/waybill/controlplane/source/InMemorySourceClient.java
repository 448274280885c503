package dev.waybill.controlplane.source;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import jakarta.annotation.Priority;
import jakarta.enterprise.inject.Alternative;
import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import io.smallrye.mutiny.Uni;

/** Repositories in which every reference is there, unless a test says otherwise for its name. */
@Singleton
@Alternative
@Priority(1)
public class InMemorySourceClient implements SourceClient {

    private final Map<String, Resolution> answers = new ConcurrentHashMap<>();
    private final Map<String, Supplier<Uni<Resolution>>> elsewhere = new ConcurrentHashMap<>();
    private final Map<String, Integer> asked = new ConcurrentHashMap<>();
    private final Map<String, Credential> presented = new ConcurrentHashMap<>();
    private volatile RepositoryListing listing = new RepositoryListing.Found(List.of());

    /** The commit that a reference names unless a test says otherwise. */
    public static String commit(String ref) {
        return UUID.nameUUIDFromBytes(ref.getBytes(StandardCharsets.UTF_8)).toString().replace("-", "") + "00000000";
    }

    /** What asking for that reference comes to. */
    public void answer(String ref, Resolution resolution) {
        answers.put(ref, resolution);
    }

    /** Asking for that reference is asking another for it at that address. */
    public void answerBy(String ref, SourceClient others, String url) {
        elsewhere.put(ref, () -> others.resolve(url, ref, null));
    }

    /** Asking for that reference is what the supplier makes of it. */
    public void answerWith(String ref, Supplier<Uni<Resolution>> answer) {
        elsewhere.put(ref, answer);
    }

    /** What opened the repository when that reference was last asked for. */
    public @Nullable Credential presented(String ref) {
        return presented.get(ref);
    }

    /** How often it was asked what that reference names. */
    public int asked(String ref) {
        return asked.getOrDefault(ref, 0);
    }

    /** What asking for an account's repositories comes to. */
    public void list(RepositoryListing all) {
        listing = all;
    }

    @Override
    public Uni<Resolution> resolve(String repositoryUrl, String ref, @Nullable Credential credential) {
        asked.merge(ref, 1, Integer::sum);
        if (credential != null) {
            presented.put(ref, credential);
        }
        Supplier<Uni<Resolution>> other = elsewhere.get(ref);
        return other != null ? other.get()
                : Uni.createFrom().item(answers.getOrDefault(ref, new Resolution.Resolved(commit(ref))));
    }

    @Override
    public Uni<RepositoryListing> repositories(RepositoryHost host) {
        return Uni.createFrom().item(listing);
    }
}
