package dev.waybill.runtime.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.waybill.runtime.storage.ItemStorage.Item;
import dev.waybill.runtime.storage.ItemStorage.ItemOperation;
import dev.waybill.runtime.storage.ItemStorage.ItemOperation.Get;
import dev.waybill.runtime.storage.ItemStorage.ItemOperation.Namespaces;
import dev.waybill.runtime.storage.ItemStorage.ItemOperation.Put;
import dev.waybill.runtime.storage.ItemStorage.ItemOperation.Search;
import dev.waybill.runtime.storage.ItemStorage.ItemResult;
import dev.waybill.runtime.storage.ItemStorage.NamespaceMatch;

/** Contract of {@link ItemStorage}. */
public abstract class ItemContract extends StorageContract {

    private static final List<String> USER = List.of("users", "u1");

    @Test
    void storedItemIsReturnedToItsOwnerOnly() {
        put(USER, "name", "{\"v\":1}");

        Item item = get(USER, "name");

        assertThat(item).isEqualTo(new Item(USER, "name", "{\"v\":1}", item.createdAt(), item.createdAt()));
        assertThat(batch(OTHER, new Get(USER, "name", false))).containsExactly(new ItemResult.Found(null));
        assertThat(get(List.of("users"), "name")).isNull();
    }

    @Test
    void replacedItemKeepsItsCreationAndMovesToTheFront() {
        put(USER, "a", "{\"v\":1}");
        put(USER, "b", "{}");

        put(USER, "a", "{\"v\":2}");

        assertThat(get(USER, "a").createdAt()).isBefore(get(USER, "a").updatedAt());
        assertThat(search(USER, null)).extracting(Item::key).containsExactly("a", "b");
    }

    @Test
    void nullDeletesAnItem() {
        put(USER, "a", "{}");

        put(USER, "a", null);
        put(USER, "missing", null);

        assertThat(get(USER, "a")).isNull();
    }

    @Test
    void readsOfABatchPrecedeItsWrites() {
        put(USER, "a", "{\"v\":1}");

        List<ItemResult> results = batch(OWNER, new Put(USER, "a", "{\"v\":2}", null), new Get(USER, "a", false),
                new Put(USER, "a", "{\"v\":3}", null), new Search(USER, null, 10, 0, false));

        assertThat(results.get(0)).isEqualTo(new ItemResult.Stored());
        assertThat(((ItemResult.Found) results.get(1)).item().value()).isEqualTo("{\"v\":1}");
        assertThat(((ItemResult.Items) results.get(3)).items()).extracting(Item::value).containsExactly("{\"v\":1}");
        assertThat(get(USER, "a").value()).isEqualTo("{\"v\":3}");
    }

    @Test
    void prefixSelectsWholeLabels() {
        put(List.of("users"), "a", "{}");
        put(List.of("users", "u1", "memories"), "b", "{}");
        put(List.of("users2"), "c", "{}");
        put(List.of("users", "u10"), "d", "{}");

        assertThat(search(List.of(), null)).hasSize(4);
        assertThat(search(List.of("users"), null)).extracting(Item::key).containsExactly("d", "b", "a");
        assertThat(search(USER, null)).extracting(Item::key).containsExactly("b");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"kind": "fact"}                     | true
            {"kind": "rule"}                     | false
            {"kind": {"$eq": "fact"}}            | true
            {"kind": {"$ne": "fact"}}            | false
            {"missing": {"$ne": "fact"}}         | true
            {"score": {"$gt": 4, "$lte": 5}}     | true
            {"score": {"$gt": 5}}                | false
            {"score": {"$gte": 4.9}}             | true
            {"score": {"$lt": 5}}                | false
            {"kind": {"$gt": "a", "$lt": "g"}}   | true
            {"kind": {"$gt": 1}}                 | false
            {"kind": "fact", "score": 5}         | true
            {"kind": "fact", "score": 6}         | false
            {"nested": {"a": 1}}                 | true
            {}                                   | true
            """)
    void filterSelectsByMembers(String filter, boolean matches) {
        put(USER, "a", "{\"kind\":\"fact\",\"score\":5,\"nested\":{\"a\":1}}");

        assertThat(search(USER, filter)).hasSize(matches ? 1 : 0);
    }

    @Test
    void pagesOfASearchFollowItsOrder() {
        for (String key : List.of("a", "b", "c", "d")) {
            put(USER, key, "{}");
        }

        List<ItemResult> page = batch(OWNER, new Search(USER, null, 2, 1, false));

        assertThat(((ItemResult.Items) page.getFirst()).items()).extracting(Item::key).containsExactly("c", "b");
    }

    @Test
    void namespacesAreDistinctCutAndMatched() {
        put(List.of("users", "u1", "memories"), "a", "{}");
        put(List.of("users", "u1", "memories"), "b", "{}");
        put(List.of("users", "u2", "notes"), "a", "{}");
        put(List.of("teams", "t1", "memories"), "a", "{}");

        assertThat(namespaces(List.of(), null, 10, 0)).containsExactly(List.of("teams", "t1", "memories"),
                List.of("users", "u1", "memories"), List.of("users", "u2", "notes"));
        assertThat(namespaces(List.of(), 1, 10, 0)).containsExactly(List.of("teams"), List.of("users"));
        assertThat(namespaces(List.of(), 1, 1, 1)).containsExactly(List.of("users"));
        assertThat(namespaces(List.of(new NamespaceMatch(true, List.of("users", "*")),
                new NamespaceMatch(false, List.of("memories"))), null, 10, 0))
                .containsExactly(List.of("users", "u1", "memories"));
    }

    @Test
    void expiredItemsAreInvisibleAndDeleted() {
        batch(OWNER, new Put(USER, "short", "{}", 1), new Put(USER, "refreshed", "{}", 1),
                new Put(USER, "lasting", "{}", null));
        clock.advance(Duration.ofSeconds(50));
        batch(OWNER, new Get(USER, "refreshed", true), new Get(USER, "short", false));
        clock.advance(Duration.ofSeconds(20));

        assertThat(search(USER, null)).extracting(Item::key).containsExactlyInAnyOrder("refreshed", "lasting");
        assertThat(get(USER, "short")).isNull();
        assertThat(await(storage.items().expire(10))).isOne();
        assertThat(await(storage.items().expire(10))).isZero();
    }

    private List<ItemResult> batch(Owner owner, ItemOperation... operations) {
        return await(storage.items().batch(owner, List.of(operations)));
    }

    private void put(List<String> namespace, String key, @Nullable String value) {
        batch(OWNER, new Put(namespace, key, value, null));
        clock.advance(Duration.ofMillis(1));
    }

    private @Nullable Item get(List<String> namespace, String key) {
        return ((ItemResult.Found) batch(OWNER, new Get(namespace, key, false)).getFirst()).item();
    }

    private List<Item> search(List<String> prefix, @Nullable String filter) {
        return ((ItemResult.Items) batch(OWNER, new Search(prefix, filter, 10, 0, false)).getFirst()).items();
    }

    private List<List<String>> namespaces(List<NamespaceMatch> matches, @Nullable Integer depth, int limit, int offset) {
        return ((ItemResult.NamespaceList) batch(OWNER, new Namespaces(matches, depth, limit, offset)).getFirst())
                .namespaces();
    }
}
