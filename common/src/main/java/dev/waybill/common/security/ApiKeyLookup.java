package dev.waybill.common.security;

import java.security.MessageDigest;
import java.time.Clock;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Optional;
import java.util.UUID;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;

import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.security.AccountDirectory.Organization;
import dev.waybill.common.security.AccountDirectory.StoredKey;
import io.smallrye.mutiny.Uni;

/** Finds out whom an API key or a workspace header stands for; what was looked up is remembered for a short time. */
@Singleton
class ApiKeyLookup {

    private static final Duration LONGEST_CACHE = Duration.ofSeconds(30);

    private final AccountDirectory directory;
    private final Clock clock;
    private final Cache<String, Optional<StoredKey>> keys;
    private final Cache<UUID, Optional<Organization>> workspaces;

    ApiKeyLookup(AccountDirectory directory, KeysConfig config, Clock clock) {
        if (config.cache().compareTo(LONGEST_CACHE) > 0) {
            throw new IllegalStateException("waybill.keys.cache must be at most 30s, so that revoked keys stop working");
        }
        this.directory = directory;
        this.clock = clock;
        this.keys = Caffeine.newBuilder().maximumSize(config.cached()).expireAfterWrite(config.cache()).build();
        this.workspaces = Caffeine.newBuilder().maximumSize(config.cached()).expireAfterWrite(config.cache()).build();
    }

    /** The caller behind the key, or a failure with the problem to answer. */
    Uni<Caller> caller(ApiKey key, @Nullable UUID workspaceHeader) {
        return storedKey(key)
                .map(found -> found.filter(stored -> MessageDigest.isEqual(stored.hash(), key.hash())))
                // What is cached may have expired meanwhile.
                .map(found -> found.filter(stored -> !stored.isExpired(clock.instant())))
                .map(found -> found.orElseThrow(ApiKeyLookup::unknownKey))
                .chain(stored -> caller(stored, workspaceHeader));
    }

    /** The organization that a workspace belongs to. */
    Uni<Optional<Organization>> organizationOf(UUID workspaceId) {
        Optional<Organization> known = workspaces.getIfPresent(workspaceId);
        return known != null
                ? Uni.createFrom().item(known)
                : directory.findOrganizationOf(workspaceId).invoke(found -> workspaces.put(workspaceId, found));
    }

    private Uni<Caller> caller(StoredKey key, @Nullable UUID workspaceHeader) {
        if (key.workspaceId().isPresent()) {
            UUID own = key.workspaceId().get();
            return workspaceHeader == null || workspaceHeader.equals(own)
                    ? Uni.createFrom().item(caller(key, own, true))
                    : Uni.createFrom().failure(foreignWorkspace());
        }
        if (workspaceHeader == null) {
            return Uni.createFrom().item(caller(key, null, false));
        }
        return organizationOf(workspaceHeader)
                .map(found -> found.filter(organization -> organization.id().equals(key.organization().id()))
                        .map(ours -> caller(key, workspaceHeader, false))
                        .orElseThrow(ApiKeyLookup::foreignWorkspace));
    }

    private static Caller caller(StoredKey key, @Nullable UUID workspaceId, boolean bound) {
        return new Caller(key.organization().id(), key.organization().plan(), workspaceId, bound, key.id(), null,
                key.role(), key.application(), key.expiresAt().orElse(null));
    }

    // The prefix is public, so the cache may be keyed by it only together with the hash.
    private Uni<Optional<StoredKey>> storedKey(ApiKey key) {
        String name = HexFormat.of().formatHex(key.hash());
        Optional<StoredKey> known = keys.getIfPresent(name);
        return known != null
                ? Uni.createFrom().item(known)
                : directory.findKey(key).invoke(found -> keys.put(name, found));
    }

    private static ProblemException unknownKey() {
        return new ProblemException(CommonProblem.UNAUTHENTICATED, "The API key is unknown, expired or revoked.");
    }

    static ProblemException foreignWorkspace() {
        return new ProblemException(CommonProblem.FORBIDDEN,
                "The API key does not open the workspace that X-Tenant-Id names.");
    }
}
