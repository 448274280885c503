package dev.waybill.runtime.item;

import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsInAnyOrder;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.notNullValue;

import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.waybill.runtime.Caller;
import dev.waybill.runtime.RuntimeTest;
import io.restassured.RestAssured;
import io.restassured.http.ContentType;
import io.restassured.response.Response;

@RuntimeTest
class ItemResourceTest {

    private final Caller caller = Caller.authorized();
    /** Each test has a namespace of its own. */
    private final String test = UUID.randomUUID().toString();

    @Test
    void storedItemIsReturnedUntilItIsDeleted() {
        put("users", "ada", "{\"age\": 36.5, \"tags\": [\"a\"]}");

        caller.get("/store/items?namespace=" + test + ".users&key=ada").then().statusCode(200)
                .body("namespace", contains(test, "users"))
                .body("key", equalTo("ada"))
                .body("value", equalTo(Map.of("age", 36.5f, "tags", List.of("a"))))
                .body("created_at", notNullValue()).body("updated_at", notNullValue());
        delete("users", "ada");
        caller.get("/store/items?namespace=" + test + ".users&key=ada&refresh_ttl=false").then().statusCode(200)
                .body(equalTo("null"));
        delete("users", "ada");
    }

    @Test
    void storingAgainReplacesTheValue() {
        put("users", "ada", "{\"age\": 36}");
        put("users", "ada", "{\"name\": \"Ada\"}");

        caller.get("/store/items?namespace=" + test + ".users&key=ada").then()
                .body("value", equalTo(Map.of("name", "Ada")));
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "put /store/items {'namespace': ['a\\u0000'], 'key': 'k', 'value': {}}",
            "put /store/items {'namespace': ['a'], 'key': '\\u0000', 'value': {}}",
            "put /store/items {'namespace': ['a'], 'key': 'k', 'value': {'m': ['\\u0000']}}",
            "put /store/items {'namespace': ['a'], 'key': 'k', 'value': {'\\u0000': 1}}",
            "delete /store/items {'namespace': ['a'], 'key': 'k\\u0000'}",
            "post /store/items/search {'filter': {'m': 'k\\u0000'}}",
            "post /store/items/search {'namespace_prefix': ['\\u0000']}",
            "post /store/namespaces {'suffix': ['\\u0000']}",
            "post /threads {'metadata': {'m': '\\u0000'}}",
            "post /threads/search {'values': {'m': {'\\u0000': 1}}}",
            "post /threads/count {'metadata': {'m': '\\u0000'}}" })
    void zeroCharacterReturns422(String request) {
        String[] parts = request.split(" ", 3);

        RestAssured.given().header("X-Api-Key", caller.key()).contentType(ContentType.JSON)
                .body(parts[2].replace('\'', '"')).request(parts[0], parts[1])
                .then().statusCode(422).body(containsString("U+0000"));
    }

    @Test
    void searchFiltersByPrefixAndValue() {
        put("users", "ada", "{\"age\": 36}");
        put("users", "bob", "{\"age\": 17}");
        put("plans", "one", "{\"age\": 36}");

        search("[\"%s\"]".formatted(test), "{}", "").then().body("items.key", containsInAnyOrder("ada", "bob", "one"));
        search("[\"%s\", \"users\"]".formatted(test), "{\"age\": {\"$gte\": 18}}", "").then().body("items.key",
                contains("ada"));
        search("[\"%s\", \"users\"]".formatted(test), "{\"age\": {\"$ne\": 36}}", "").then().body("items.key", contains("bob"));
        search("[\"%s\", \"users\"]".formatted(test), "{}", ", \"limit\": 1, \"offset\": 1").then()
                .body("items.key", contains("ada"));
        search("[\"nobody\"]", "{}", "").then().body("items", empty());
    }

    @Test
    void namespacesAreListedByPrefixSuffixAndDepth() {
        put("users", "ada", "{}");
        put("plans", "one", "{}");

        namespaces("\"prefix\": [\"%s\"]".formatted(test)).then()
                .body("namespaces", contains(List.of(test, "plans"), List.of(test, "users")));
        namespaces("\"prefix\": [\"%s\"], \"suffix\": [\"users\"]".formatted(test)).then()
                .body("namespaces", contains(List.of(test, "users")));
        namespaces("\"prefix\": [\"%s\"], \"max_depth\": 1".formatted(test)).then()
                .body("namespaces", contains(List.of(test)));
    }

    @Test
    void allViolationsOfARequestAreReported() {
        caller.put("/store/items", "{\"namespace\": [\"a.b\"], \"key\": \"\", \"value\": 1, \"ttl\": 0}").then().statusCode(422)
                .body("errors.loc", containsInAnyOrder(List.of("namespace"), List.of("key"), List.of("value"), List.of("ttl")));
        caller.put("/store/items", "{}").then().statusCode(422)
                .body("errors.loc", containsInAnyOrder(List.of("namespace"), List.of("key"), List.of("value")));
        caller.get("/store/items?namespace=a..b").then().statusCode(422)
                .body("errors.loc", containsInAnyOrder(List.of("namespace"), List.of("key")));
        search("[\"\"]", "{\"a\": {\"$like\": 1, \"$gt\": true}}", ", \"limit\": 0").then().statusCode(422)
                .body("errors.loc", containsInAnyOrder(List.of("namespace_prefix"), List.of("filter", "a", "$like"),
                        List.of("filter", "a", "$gt"), List.of("limit")));
        namespaces("\"prefix\": [\"\"], \"max_depth\": 0").then().statusCode(422)
                .body("errors.loc", containsInAnyOrder(List.of("prefix"), List.of("max_depth")));
    }

    @Test
    void valueAboveItsLimitIsTooLarge() {
        caller.put("/store/items", item("users", "ada", "{\"a\": \"" + "x".repeat(1 << 20) + "\"}")).then()
                .statusCode(413).body("detail", containsString("at most 1048576"));
    }

    private void put(String label, String key, String value) {
        caller.put("/store/items", item(label, key, value)).then().statusCode(204).body(equalTo(""));
    }

    private String item(String label, String key, String value) {
        return "{\"namespace\": [\"%s\", \"%s\"], \"key\": \"%s\", \"value\": %s}".formatted(test, label, key, value);
    }

    private void delete(String label, String key) {
        RestAssured.given().header("X-Api-Key", caller.key()).contentType(ContentType.JSON)
                .body("{\"namespace\": [\"%s\", \"%s\"], \"key\": \"%s\"}".formatted(test, label, key))
                .delete("/store/items").then().statusCode(204);
    }

    private Response search(String prefix, String filter, String more) {
        return caller.post("/store/items/search",
                "{\"namespace_prefix\": %s, \"filter\": %s%s}".formatted(prefix, filter, more));
    }

    private Response namespaces(String members) {
        return caller.post("/store/namespaces", "{" + members + "}");
    }
}
