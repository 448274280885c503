// Random values and messages, the same for each run.
import * as messages from "@langchain/core/messages";

const { HumanMessage, AIMessage, AIMessageChunk, SystemMessage, ToolMessage, ChatMessage } = messages;
const TEXTS = ["", "x", "\"lc\"", "\u2028", "\ud800", "😀", "a\nb", "__lc_escaped__", "{\"lc\":1}", "\0"];
const USUAL = ["a", "b", "content", "id", "type", "1", "name", "toolCalls", "fooBar", "foo bar"];
const NAMES = [...USUAL, "a,b", "lc", "__lc_escaped__", "constructor", "toJSON", "kwargs", "then", "\ud800", "lc_kwargs"];

class Nickname extends HumanMessage {
    get lc_attributes() {
        return this.name ? { nickname: this.name } : {};
    }
}

class Masked extends HumanMessage {
    toJSON() {
        const json = super.toJSON();
        json.kwargs.content = this.name ? "***" : json.kwargs.content;
        return json;
    }
}

class Shown extends AIMessage {
    toDict() {
        const { type, data } = super.toDict();
        return { type, data: this.name ? { ...data, content: "***" } : data };
    }
}

class Secret extends HumanMessage {
    get lc_secrets() {
        return this.name ? { "additional_kwargs.a": "KEY" } : undefined;
    }
}

const CLASSES = [HumanMessage, AIMessage, AIMessage, AIMessageChunk, SystemMessage, ToolMessage, ChatMessage, Nickname, Masked,
    Shown, Secret];
// Objects that LangGraph.js or JSON.stringify convert.
const OBJECTS = [
    () => new Date(0), () => new Map([["a", 1]]), () => new Set([1]), () => new Uint8Array([1]), () => /a/g, () => new Error("e"),
    () => ({ lc: 2, type: "undefined" }), () => ({ lc: 1, type: "secret", id: ["PATH"] }), () => new (class Own { a = 1; })(),
    () => Object.assign(Object.create(null), { x: 1 }), () => new String("s"), () => () => 1, () => Symbol("x"), () => new Float64Array(2),
];

export class Random {
    constructor(seed) {
        this.state = seed;
    }

    next(bound) {
        this.state = (Math.imul(this.state, 1664525) + 1013904223) >>> 0;
        return Math.floor((this.state / 2 ** 32) * bound);
    }

    pick(list) {
        return list[this.next(list.length)];
    }

    value(depth) {
        const kinds = [
            () => this.pick(TEXTS), () => this.pick(TEXTS), () => this.pick([0, -0, 1.5, 1e21, NaN, Infinity]), () => null,
            () => undefined, () => true, () => (this.next(3) ? this.pick(TEXTS) : this.pick(OBJECTS)()), () => this.object(depth - 1),
            () => Array.from({ length: this.next(4) }, () => this.value(depth - 1)), () => new Array(2), () => this.message(depth - 1),
        ];
        return kinds[this.next(depth > 0 ? kinds.length : 7)]();
    }

    object(depth) {
        const names = this.next(3) ? USUAL : NAMES;
        return Object.fromEntries(Array.from({ length: this.next(4) }, () => [this.pick(names), this.value(depth)]));
    }

    message(depth) {
        const members = {
            content: () => this.pick(["", "x", [{ type: "text", text: "y" }], [{ type: "tool_call", id: "c", name: "n", args: {} }]]),
            id: () => this.pick(["1", undefined]),
            name: () => this.pick(["eve", undefined]),
            additional_kwargs: () => this.object(depth),
            response_metadata: () => (this.next(5) ? this.object(depth) : { output_version: "v1" }),
            tool_calls: () => [{ name: "n", args: this.object(depth), id: "c", type: "tool_call" }],
            usage_metadata: () => ({ input_tokens: 1, output_tokens: 2, total_tokens: 3 }),
            artifact: () => this.value(depth),
            [this.pick(NAMES.slice(5))]: () => this.value(depth),
        };
        const given = Object.entries(members).filter(([name]) => name === "content" || this.next(3) === 0);
        try {
            const message = new (this.pick(CLASSES))(Object.fromEntries(given.map(([name, create]) => [name, create()])));
            this.change(message, depth);
            return message;
        } catch {
            // LangChain does not accept all members.
            return new HumanMessage("valid");
        }
    }

    change(message, depth) {
        const changes = [
            () => Object.assign(message, { content: "changed", id: "2" }), () => Object.assign(message, { name: "late" }),
            () => Object.assign(message, { additional_kwargs: this.object(depth) }), () => Object.assign(message.lc_kwargs, { added: 1 }),
            () => delete message.lc_kwargs.content, () => Object.assign(message, { type: this.pick([undefined, 5, "z"]) }),
            () => Object.assign(message, { lc_serializable: false }), () => Object.assign(message, { toJSON: () => ({ own: 1 }) }),
            () => Object.assign(message, { toDict: () => ({ type: "t", data: {} }) }), () => Object.assign(message, { getType: () => undefined }),
            () => Object.assign(message, { constructor: AIMessage }), () => Object.assign(message.additional_kwargs, { self: message }),
        ];
        if (this.next(4) === 0) {
            this.pick(changes)();
        }
    }
}
