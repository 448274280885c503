// JSON of values that contain messages of LangChain, without the conversions of each message that LangChain does.
//
// How LangChain names the members of a message is learned: for each class and each list of members, the first message is
// converted in both ways. Values for which the results could differ are left to LangChain.

/** Thrown for values that LangChain has to convert. */
const FOREIGN = Symbol("foreign");
const UNDEFINED = '{"lc":2,"type":"undefined"}';
const ESCAPED = "__lc_escaped__";
// A member with this name becomes the prototype of an object that LangChain copies.
const PROTOTYPE = "__proto__";
const MAX_DEPTH = 100;
// Lists of members that are known, of one class and of all stored messages.
const MAX_LISTS = 1000;

/** How a value is written: as LangGraph.js serializes it, as a client reads it, or as a member of a serialized message. */
const SERIALIZED = { undefined: UNDEFINED, within: { undefined: UNDEFINED, isMember: true } };
const PLAIN = { undefined: undefined, within: { undefined: undefined, isMember: true }, typeOf: (message) => message.getType() };
const CHUNK = { ...PLAIN, typeOf: (message) => chunkType(message) ?? message.getType() };

/** Returns the type of a chunk of a message; undefined for other messages. */
export function chunkType(message) {
    const name = message.constructor?.name;
    return name?.endsWith("MessageChunk") ? name : undefined;
}

/** Returns the JSON of a value as the serializer of LangGraph.js writes it; undefined if only the serializer can. */
export const serializedJson = (value) => attempt(value, SERIALIZED);

/** Returns the JSON of a value as JSON.stringify writes it with toJson; undefined if only that can. */
export const plainJson = (value) => attempt(value, PLAIN);

/**
 * Returns the JSON of an event with a message, like plainJson; a chunk of a message retains the type of a chunk.
 * @param last the last item of the event before and its JSON, which is not written again for the same item
 */
export function chunksJson(data, last = {}) {
    const items = data.map((item) => (item === last.value ? last.json
        : attempt(item, typeof item?.toDict === "function" ? CHUNK : PLAIN)));
    if (items.includes(undefined)) {
        return undefined;
    }
    last.value = data.at(-1);
    last.json = items.at(-1);
    return `[${items.join()}]`;
}

function foreign() {
    throw FOREIGN;
}

function attempt(value, form) {
    try {
        return write(value, form, 0);
    } catch {
        // Also an error of the application's own code: LangChain decides what becomes of it.
        return undefined;
    }
}

/** Returns the JSON of the value; undefined for a value that is omitted. */
function write(value, form, depth) {
    switch (typeof value) {
        case "string":
            return JSON.stringify(value);
        case "number":
            return Number.isFinite(value) ? String(value) : "null";
        case "boolean":
            return value ? "true" : "false";
        case "undefined":
            return form.undefined;
        case "object":
            return value === null ? "null" : writeObject(value, form, depth + 1);
        default:
            return foreign();
    }
}

function writeObject(value, form, depth) {
    if (depth > MAX_DEPTH || (Array.isArray(value) && value.toJSON !== undefined)) {
        foreign();
    }
    if (Array.isArray(value)) {
        let text = "[";
        for (let i = 0; i < value.length; i++) {
            text += (i > 0 ? "," : "") + (write(value[i], form, depth) ?? "null");
        }
        return text + "]";
    }
    const prototype = Object.getPrototypeOf(value);
    if (prototype !== Object.prototype && prototype !== null) {
        return members(value, form, depth);
    }
    if (value.toJSON !== undefined || value.toDict !== undefined || value.lg_name !== undefined
        || (form.isMember && ("lc" in value || ESCAPED in value))) {
        foreign();
    }
    let text = "{";
    for (const key of Object.keys(value)) {
        if (key === PROTOTYPE) {
            foreign();
        }
        const member = write(value[key], form, depth);
        if (member !== undefined) {
            text += (text.length > 1 ? "," : "") + JSON.stringify(key) + ":" + member;
        }
    }
    return text + "}";
}

// Members that decide how LangChain converts a message: of its root class, and of its class of messages.
const ROOT_MEMBERS = ["toJSON", "lc_id", "lc_secrets", "lc_attributes"];
const BASE_MEMBERS = ["toDict"];
// Maps the prototype of each class of messages to what is known about its messages.
const known = new WeakMap();

/** Returns the JSON of a message. */
function members(message, form, depth) {
    const given = message.lc_kwargs;
    if (form.isMember || given === null || typeof given !== "object" || typeof message.toDict !== "function") {
        foreign();
    }
    const prototype = Object.getPrototypeOf(message);
    let type = known.get(prototype);
    if (type === undefined) {
        type = classOf(prototype);
        known.set(prototype, type);
    }
    if (message.toJSON !== type.toJSON || message.toDict !== type.toDict || message.constructor !== type.constructor
        || message.lc_serializable !== true) {
        foreign();
    }
    const keys = Object.keys(given);
    const list = listOf(keys);
    let found = type.lists.get(list);
    if (found === undefined) {
        found = type.lists.size < MAX_LISTS ? learn(message, keys, depth) : foreign();
        type.lists.set(list, found);
    }
    return found === null ? foreign() : compose(message, keys, found, form, depth);
}

/** Returns a text that differs for different lists of names. */
const listOf = (names) => `${names.length}:${names.join("\0")}`;

/**
 * Returns the constructor and the methods of a class of messages, and a map from each list of members to what is known about
 * such messages: null if LangChain has to convert them. A class that converts its messages itself has no methods here.
 */
function classOf(prototype) {
    const chain = [];
    for (let each = prototype; each !== null && each !== Object.prototype; each = Object.getPrototypeOf(each)) {
        chain.unshift(each);
    }
    const isOnlyIn = (names, level) => names.every((name) =>
        chain.every((each, index) => index < level || Object.hasOwn(each, name) === (index === level)));
    const isUsual = chain.length > 2 && isOnlyIn(ROOT_MEMBERS, 0) && isOnlyIn(BASE_MEMBERS, 1);
    const { toJSON, toDict, constructor } = isUsual ? prototype : {};
    return { toJSON, toDict, constructor, lists: new Map() };
}

function compose(message, keys, { prefix, names, type }, form, depth) {
    const given = message.lc_kwargs;
    const { typeOf } = form;
    let text = typeOf ? "{" : prefix;
    let first = true;
    for (let i = 0; i < keys.length; i++) {
        const value = typeOf && i === type ? textOf(typeOf(message)) : keys[i] in message ? message[keys[i]] : given[keys[i]];
        const member = write(value, form.within, depth);
        if (member !== undefined) {
            text += (first ? "" : ",") + names[i] + member;
            first = false;
        }
    }
    if (!typeOf) {
        return text + "}}";
    }
    return type >= 0 ? text + "}" : `${text}${first ? "" : ","}"type":${JSON.stringify(textOf(typeOf(message)))}}`;
}

const textOf = (type) => (typeof type === "string" ? type : foreign());

const withUndefined = (_key, value) => (value === undefined ? { lc: 2, type: "undefined" } : value);

/** Returns the beginning and the names of members of the JSON of such messages; null if they would not be the same. */
function learn(message, keys, depth) {
    const json = message.toJSON?.();
    if (json?.lc !== 1 || json.type !== "constructor" || json.id.at(-2) !== "messages" || typeof message.getType !== "function") {
        return null;
    }
    const names = Object.keys(json.kwargs);
    const found = {
        prefix: `{"lc":1,"type":"constructor","id":${JSON.stringify(json.id)},"kwargs":{`,
        names: names.map((name) => `${JSON.stringify(name)}:`),
        type: names.indexOf("type"),
    };
    const { type, data } = message.toDict();
    const isSame = names.length === keys.length
        && compose(message, keys, found, SERIALIZED, depth) === JSON.stringify(message, withUndefined)
        && compose(message, keys, found, PLAIN, depth) === JSON.stringify({ ...data, type });
    return isSame ? found : null;
}

/** Returns whether LangGraph.js reads the JSON text as JSON.parse does. */
export const isPlainJson = (text) => !text.includes('"lc"') && !text.includes(ESCAPED);

/** Reads values that the serializer of LangGraph.js wrote. */
export class ValueReader {
    /** @param loadSlowly returns a promise of the value of a JSON text */
    constructor(loadSlowly) {
        this.loadSlowly = loadSlowly;
    }

    /** Returns the value of the JSON text, or a promise of it. */
    read(text) {
        if (text.includes(`"${PROTOTYPE}"`)) {
            return this.loadSlowly(text);
        }
        if (isPlainJson(text)) {
            return JSON.parse(text);
        }
        const unknown = [];
        const value = this.revive(text, unknown);
        return unknown.length === 0 ? value : this.readUnknown(text, unknown);
    }

    async readUnknown(text, unknown) {
        if (unknown.includes(null)) {
            return this.loadSlowly(text);
        }
        for (const { list, record } of unknown) {
            if (!constructors.has(list) && constructors.size < MAX_LISTS) {
                constructors.set(list, await this.learn(record));
            }
        }
        const remaining = [];
        const value = this.revive(text, remaining);
        return remaining.length === 0 ? value : this.loadSlowly(text);
    }

    revive(text, unknown) {
        return revive(JSON.parse(text), unknown);
    }

    /** Returns how such a message is created; null if LangChain has to create it. */
    async learn(record) {
        const slow = await this.loadSlowly(JSON.stringify(record));
        const names = Object.keys(record.kwargs);
        const keys = Object.keys(slow?.lc_kwargs ?? {}).slice(0, names.length);
        if (keys.length !== names.length || typeof slow.toDict !== "function") {
            return null;
        }
        const found = { type: slow.constructor, keys };
        const fast = create(structuredClone(record.kwargs), found);
        const json = serializedJson(slow);
        const isSame = json !== undefined && serializedJson(fast) === json
            && Object.keys(fast).join() === Object.keys(slow).join()
            && Object.keys(fast.lc_kwargs).join() === Object.keys(slow.lc_kwargs).join();
        return isSame ? found : null;
    }
}

// Maps each identifier of a class and each list of members to the class and the names of its parameters.
const constructors = new Map();

function create(kwargs, { type, keys }) {
    const given = {};
    Object.values(kwargs).forEach((value, index) => {
        given[keys[index]] = value;
    });
    return new type(given);
}

const isUndefined = (value) => value !== null && typeof value === "object" && value.lc === 2 && value.type === "undefined";

/** Returns the value of parsed JSON; adds messages that are not known, and null for values that LangChain has to create. */
function revive(value, unknown) {
    if (value === null || typeof value !== "object") {
        return value;
    }
    if (Array.isArray(value)) {
        for (let i = 0; i < value.length; i++) {
            value[i] = revive(value[i], unknown);
        }
        return value;
    }
    if (value.lc === 1) {
        return reviveMessage(value, unknown);
    }
    if (isUndefined(value)) {
        return undefined;
    }
    if (value.lc !== undefined || ESCAPED in value) {
        unknown.push(null);
        return value;
    }
    for (const key of Object.keys(value)) {
        value[key] = revive(value[key], unknown);
    }
    return value;
}

function reviveMessage(record, unknown) {
    const { type, id, kwargs } = record;
    if (type !== "constructor" || !Array.isArray(id) || id.at(-2) !== "messages" || !isPlainTree(kwargs)) {
        unknown.push(null);
        return record;
    }
    for (const key of Object.keys(kwargs)) {
        // LangGraph.js omits them.
        if (isUndefined(kwargs[key])) {
            delete kwargs[key];
        }
    }
    const list = `${listOf(id)}\0${listOf(Object.keys(kwargs))}`;
    const found = constructors.get(list);
    if (!found) {
        unknown.push(found === null ? null : { list, record });
        return record;
    }
    return create(kwargs, found);
}

/** Returns whether the members of a message contain nothing that LangChain would convert, except undefined members. */
function isPlainTree(kwargs) {
    return kwargs !== null && typeof kwargs === "object" && !Array.isArray(kwargs)
        && Object.values(kwargs).every((value) => isUndefined(value) || isPlainValue(value));
}

function isPlainValue(value) {
    if (value === null || typeof value !== "object") {
        return true;
    }
    return Array.isArray(value) ? value.every(isPlainValue)
        : value.lc === undefined && !(ESCAPED in value) && Object.values(value).every(isPlainValue);
}
