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

import dev.waybill.controlplane.source.SourceClient.RepositoryHost;
import dev.waybill.controlplane.source.SourceClient.RepositoryListing;
import dev.waybill.controlplane.source.SourceClient.Resolution;
import io.smallrye.mutiny.Uni;

/** A source client that resolves every ref, unless a test configures another result for its name. */
@Singleton
@Alternative
@Priority(1)
public class InMemorySourceClient implements SourceClient {

    private final Map<String, Resolution> resolutions = new ConcurrentHashMap<>();
    private final Map<String, Supplier<Uni<Resolution>>> resolvers = new ConcurrentHashMap<>();
    private final Map<String, Integer> lookups = new ConcurrentHashMap<>();
    private final Map<String, Credential> credentials = new ConcurrentHashMap<>();
    private volatile RepositoryListing listing = new RepositoryListing.Found(List.of());

    /** Returns the commit that a ref resolves to by default. */
    public static String commit(String ref) {
        return UUID.nameUUIDFromBytes(ref.getBytes(StandardCharsets.UTF_8)).toString().replace("-", "") + "00000000";
    }

    /** Sets the result of resolving the ref. */
    public void setResolution(String ref, Resolution resolution) {
        resolutions.put(ref, resolution);
    }

    /** Delegates the resolution of the ref to another client and URL. */
    public void delegate(String ref, SourceClient client, String url) {
        resolvers.put(ref, () -> client.resolve(url, ref, null));
    }

    /** Sets a supplier of the results of resolving the ref. */
    public void setResolver(String ref, Supplier<Uni<Resolution>> resolver) {
        resolvers.put(ref, resolver);
    }

    /** Returns the credential of the last resolution of the ref. */
    public @Nullable Credential lastCredential(String ref) {
        return credentials.get(ref);
    }

    /** Returns the number of resolutions of the ref. */
    public int lookups(String ref) {
        return lookups.getOrDefault(ref, 0);
    }

    /** Sets the result of listing the repositories of an account. */
    public void setListing(RepositoryListing newListing) {
        listing = newListing;
    }

    @Override
    public Uni<Resolution> resolve(String repositoryUrl, String ref, @Nullable Credential credential) {
        lookups.merge(ref, 1, Integer::sum);
        if (credential != null) {
            credentials.put(ref, credential);
        }
        Supplier<Uni<Resolution>> other = resolvers.get(ref);
        return other != null ? other.get()
                : Uni.createFrom().item(resolutions.getOrDefault(ref, new Resolution.Resolved(commit(ref))));
    }

    @Override
    public Uni<RepositoryListing> repositories(RepositoryHost host) {
        return Uni.createFrom().item(listing);
    }
}
