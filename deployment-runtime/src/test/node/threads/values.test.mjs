// The worker's serialization of values: the same as that of LangGraph.js and of LangChain's messages.
import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { AsyncBatchedStore, JsonPlusSerializer } from "@langchain/langgraph-checkpoint";
import { Send } from "@langchain/langgraph";
import {
    AIMessage, AIMessageChunk, FunctionMessage, HumanMessage, RemoveMessage, SystemMessage, ToolMessage,
} from "@langchain/core/messages";
import { Document } from "@langchain/core/documents";
import { Random } from "./random.mjs";

const { ValueReader, chunksJson, plainJson, serializedJson } =
    await import(pathToFileURL(join(dirname(process.argv[2]), "messages.mjs")).href);
const { Serializer, SmallValues } = await import(pathToFileURL(join(dirname(process.argv[2]), "values.mjs")).href);
const serde = new JsonPlusSerializer();
const call = { name: "search", args: { query: "a \"b\" ä😀", deep: [{ n: 1.5 }, null] }, id: "call-1", type: "tool_call" };
const usage = { input_tokens: 1, output_tokens: 2, total_tokens: 3 };

const MESSAGES = [
    new HumanMessage("hello"),
    new HumanMessage({ content: [{ type: "text", text: "block" }, { type: "image_url", image_url: { url: "x" } }], id: "1" }),
    new HumanMessage({ content: "named", name: "eve", additional_kwargs: { a: [1, { b: null }] } }),
    new AIMessage({ content: "answer", id: "2", tool_calls: [call], usage_metadata: usage, response_metadata: { model: "m" } }),
    new AIMessage({ content: "", name: undefined, invalid_tool_calls: [] }),
    new AIMessageChunk({ content: "pie", tool_call_chunks: [{ name: "s", args: "{", index: 0, id: "3", type: "tool_call_chunk" }] }),
    new AIMessageChunk({ content: "piece", id: "4" }),
    new SystemMessage("\u2028 be \ud800 kind"),
    new ToolMessage({ content: "found", tool_call_id: "call-1", status: "success", artifact: { rows: [1, 2] } }),
    new FunctionMessage({ content: "f", name: "g" }),
    new RemoveMessage({ id: "5" }),
];
const PLAIN = [null, true, -0, 1e300, NaN, "", "text", [], {}, [[], {}], { a: { b: ["c", 1, null] } }, { __proto__: null, x: 1 }];
const OTHERS = [
    undefined, [undefined], { a: undefined }, new Set([1]), new Map([["a", 1]]), /a+/g, new Error("e"), new Uint8Array([1, 2]),
    new Date(0), new Send("node", { a: 1 }), { f() {} }, [() => {}], { lc: 1 }, { lc: 2, type: "undefined" }, { __lc_escaped__: { lc: 1 } },
    new AIMessage({ content: "x", additional_kwargs: { lc: 1, date: new Date(0) } }), new Document({ pageContent: "p", metadata: {} }),
    new AIMessage({ content: "x", response_metadata: { missing: undefined } }), { toJSON: () => 1 }, { toDict: 1 },
    new AIMessage({ contentBlocks: [{ type: "text", text: "v1" }], response_metadata: { output_version: "v1" } }),
    { messages: MESSAGES, other: new Set([new HumanMessage("in a set")]) },
];
const circular = { name: "circle" };
circular.self = circular;

const textOf = async (value) => Buffer.from((await serde.dumpsTyped(value))[1]).toString();

function toPlain(key, value) {
    const raw = this[key];
    if (typeof raw?.toDict === "function") {
        const { type, data } = raw.toDict();
        return { ...data, type };
    }
    return typeof value === "bigint" ? String(value) : value;
}

test("values are serialized as LangGraph.js does", async () => {
    for (const value of [...PLAIN, ...MESSAGES, MESSAGES, { messages: MESSAGES }, ...OTHERS]) {
        const expected = value instanceof Uint8Array ? serializedJson(value) : await textOf(value);
        for (const json of [serializedJson(value), serializedJson(value)]) {
            assert.ok(json === undefined || json === expected, `${json}\n${expected}`);
        }
    }
    for (const value of [...PLAIN, ...MESSAGES, { messages: MESSAGES }]) {
        assert.notEqual(serializedJson(value), undefined);
    }
    assert.equal(serializedJson(circular), undefined);
});

test("a changed message is serialized as it is now", async () => {
    const message = new AIMessage({ content: "before", id: "1", additional_kwargs: { a: 1 } });
    serializedJson(message);
    message.content = "after";
    message.additional_kwargs.a = 2;
    message.tool_calls = [call];

    assert.equal(serializedJson(message), await textOf(message));
});

test("values are read as LangGraph.js does", async () => {
    const slow = [];
    const reader = new ValueReader((text) => {
        slow.push(text);
        return serde.loadsTyped("json", text);
    });
    for (const value of [...PLAIN, ...MESSAGES, MESSAGES, { messages: MESSAGES }, ...OTHERS]) {
        const text = await textOf(value);
        const expected = await serde.loadsTyped("json", text).catch((error) => error);
        for (let i = 0; i < 2; i++) {
            const read = await Promise.resolve().then(() => reader.read(text)).catch((error) => error);
            assert.deepStrictEqual(read, expected, text);
        }
    }
    slow.length = 0;

    assert.equal((await reader.read(await textOf(MESSAGES))).length, MESSAGES.length);
    assert.deepEqual(slow, []);
});

test("events are written as LangChain's messages convert themselves", () => {
    for (const value of [...PLAIN, ...MESSAGES, { messages: MESSAGES }, ...OTHERS.filter((one) => one !== undefined)]) {
        const json = plainJson(value);
        assert.ok(json === undefined || json === JSON.stringify(value, toPlain), `${json}\n${JSON.stringify(value, toPlain)}`);
    }
    for (const message of MESSAGES) {
        const expected = JSON.parse(JSON.stringify([message, { step: 1 }], toPlain));
        const name = message.constructor.name;
        expected[0].type = name.endsWith("MessageChunk") ? name : expected[0].type;
        assert.deepEqual(JSON.parse(chunksJson([message, { step: 1 }])), expected);
    }
});

test("operations of a store are executed in batches, without a timer", async () => {
    const { executeWithoutPolling } = await import(pathToFileURL(join(dirname(process.argv[2]), "store.mjs")).href);
    executeWithoutPolling({ AsyncBatchedStore });
    const batches = [];
    const store = new AsyncBatchedStore({
        batch: async (operations) => {
            batches.push(operations.length);
            if (operations.some(({ key }) => key === "broken")) {
                throw new Error("broken");
            }
            return operations.map(({ key }) => key);
        },
    });
    const setTimer = globalThis.setTimeout;
    globalThis.setTimeout = () => assert.fail("a timer");

    store.start();
    assert.ok(store.isRunning);
    assert.deepEqual(await Promise.all([store.get(["a"], "1"), store.get(["a"], "2")]), ["1", "2"]);
    const first = store.put(["a"], "3", {});
    await store.stop();
    globalThis.setTimeout = setTimer;

    assert.equal(await first, "3");
    assert.deepEqual(batches, [2, 1]);
    await assert.rejects(store.get(["a"], "broken"), /broken/);
    assert.equal(await store.get(["a"], "4"), "4");
});

/** Returns the result of the call, or "failed". */
async function resultOf(call) {
    try {
        return await call();
    } catch {
        return "failed";
    }
}

test("random values are written and read as LangGraph.js does, or by it", async () => {
    const random = new Random(1);
    const reader = new ValueReader((text) => serde.loadsTyped("json", text));
    let written = 0;
    for (let i = 0; i < 3000; i++) {
        const value = { messages: [random.message(2), random.value(3)] };
        const expected = await textOf(value);
        const plain = await resultOf(() => JSON.stringify(value, toPlain));
        const json = serializedJson(value);
        written += json === undefined ? 0 : 1;
        assert.ok(json === undefined || json === expected, `${json}\n${expected}`);
        const plainText = plainJson(value);
        assert.ok(plainText === undefined || plainText === plain, `${plainText}\n${plain}`);
        const [read, loaded] = await Promise.all([() => reader.read(expected), () => serde.loadsTyped("json", expected)].map(resultOf));
        assert.deepStrictEqual(read, loaded, expected);
    }
    assert.ok(written > 500, String(written));
});

test("members with the name of the prototype are read as LangGraph.js does", async () => {
    const reader = new ValueReader((text) => serde.loadsTyped("json", text));
    const text = '{"a":{"__proto__":{"admin":true}}}';
    const [read, loaded] = [await reader.read(text), await serde.loadsTyped("json", text)];
    assert.deepEqual([Object.keys(read.a), read.a.admin], [Object.keys(loaded.a), loaded.a.admin]);

    const message = new HumanMessage({ content: "x", additional_kwargs: JSON.parse('{"__proto__":{"admin":true},"b":1}') });
    assert.ok([undefined, await textOf(message)].includes(serializedJson(message)));
});

test("messages whose names of members contain a comma are not mixed up", async () => {
    for (const members of [{ "a,b": 1, content: "x" }, { a: 1, b: 2, content: "y" }]) {
        const message = new HumanMessage(members);
        assert.ok([undefined, await textOf(message)].includes(serializedJson(message)));
    }
});

test("a small value of a channel that the graph does not have remains part of checkpoints", async () => {
    const versions = { removed: "1.0", other: "1.1" };
    const bodyOf = async (values, channels, newVersions) => {
        const checkpoint = { v: 4, id: "1", ts: "now", channel_versions: { ...versions, ...newVersions }, versions_seen: {} };
        const { body } = await values.split("", { ...checkpoint, channel_values: channels }, newVersions);
        return JSON.parse(body[1]).channel_values;
    };
    const read = new SmallValues(new Serializer(serde));
    read.read("", versions, { removed: [1], other: "x" });

    for (const version of ["2.1", "3.1"]) {
        assert.deepEqual(await bodyOf(read, { other: version }, { other: version }), { removed: [1], other: version });
    }
});

test("only the newest JSON of a channel is retained in memory", async () => {
    const values = new SmallValues(new Serializer(serde));
    const putOf = (version) => values.split("", { v: 4, id: version, channel_versions: { a: version }, versions_seen: {},
        channel_values: { a: `value ${version}` } }, { a: version });
    for (let i = 1; i <= 10; i++) {
        await putOf(`${i}.0`);
    }

    assert.deepEqual([...values.contained.values()].map(({ text }) => text).filter(Boolean), ['"value 10.0"']);
    const fork = { v: 4, id: "f", channel_versions: { a: "3.0" }, versions_seen: {}, channel_values: { a: "value 3.0" } };
    const { body } = await values.split("", fork, {});
    assert.deepEqual(JSON.parse(body[1]).channel_values, { a: "value 3.0" });
});
