/** Reads conversations from the inputs and outputs of model calls: OpenAI, Anthropic, LangChain, AI SDK and OTLP GenAI shapes. */

export type Part =
  | { readonly kind: 'text' | 'reasoning'; readonly text: string }
  | { readonly kind: 'image'; readonly url: string }
  | { readonly kind: 'call'; readonly id: string; readonly name: string; readonly input: unknown; result?: unknown }
  | { readonly kind: 'result'; readonly id: string; readonly name: string; readonly output: unknown }
  | { readonly kind: 'json'; readonly value: unknown };

export interface Message {
  readonly role: string;
  readonly parts: readonly Part[];
}

type Members = Readonly<Record<string, unknown>>;

const isMembers = (value: unknown): value is Members => typeof value === 'object' && value !== null && !Array.isArray(value);
const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);
const ROLES: Readonly<Record<string, string>> = { human: 'user', ai: 'assistant', model: 'assistant', AIMessageChunk: 'assistant', developer: 'system', function: 'tool' };
const LISTS = ['messages', 'message', 'input_messages', 'output_messages', 'gen_ai.input.messages', 'gen_ai.output.messages', 'chat_history', 'prompt', 'input', 'output'];
/** Items of OpenAI's responses that are no messages. */
const ITEMS = ['function_call', 'function_call_output', 'reasoning'];
const MAX_DEPTH = 6;

/** Returns the messages of a value; empty if it has no shape that is known. */
export function messagesOf(value: unknown, role = 'user', depth = 0): Message[] {
  if (depth > MAX_DEPTH || value === null || value === undefined) {
    return [];
  }
  if (Array.isArray(value)) {
    // LangChain passes batches: a list of lists.
    const list = value.length > 0 && Array.isArray(value[0]) ? (value[0] as unknown[]) : value;
    const found = list.map((item) => message(item, role));
    return found.every((item) => item !== null) ? withItems(found, list) : [];
  }
  if (!isMembers(value)) {
    return [];
  }
  const system = systemOf(value);
  if (Array.isArray(value['choices'])) {
    return value['choices'].flatMap((choice) => (isMembers(choice) && message(choice['message'] ?? choice['delta'] ?? choice, 'assistant')) || []);
  }
  if (Array.isArray(value['generations'])) {
    const flat = value['generations'].flat() as unknown[];
    return flat.flatMap((item) => (isMembers(item) ? (message(item['message'], 'assistant') ?? plain(item['text'], 'assistant')) : null) ?? []);
  }
  for (const name of LISTS) {
    const member = parsed(value[name]);
    if (Array.isArray(member) || isMembers(member)) {
      const found = messagesOf(member, name.includes('output') ? 'assistant' : role, depth + 1);
      if (found.length) {
        return [...system, ...found];
      }
    }
  }
  const single = message(value, role);
  return single ? [...system, single] : [];
}

/** OTLP exporters send messages as JSON text. */
function parsed(value: unknown): unknown {
  if (typeof value === 'string' && /^\s*[[{]/.test(value) && value.length < 5_000_000) {
    try {
      return JSON.parse(value);
    } catch {
      return value;
    }
  }
  return value;
}

/** OpenAI's responses list calls and thoughts of the model beside its messages: they belong to one message. */
function withItems(messages: readonly Message[], list: readonly unknown[]): Message[] {
  const joined: Message[] = [];
  messages.forEach((next, index) => {
    const last = joined.at(-1);
    const item = list[index];
    const isItem = isMembers(item) && textOf(item['role']) === null && ITEMS.includes(String(item['type']));
    if (isItem && last?.role === 'assistant' && next.role === 'assistant') {
      joined[joined.length - 1] = { role: last.role, parts: [...last.parts, ...next.parts] };
    } else {
      joined.push(next);
    }
  });
  return joined;
}

function systemOf(value: Members): Message[] {
  const system = parsed(value['system'] ?? value['instructions'] ?? value['gen_ai.system_instructions']);
  return typeof system === 'string' ? [{ role: 'system', parts: [{ kind: 'text', text: system }] }] : Array.isArray(system) ? [{ role: 'system', parts: parts(system) }] : [];
}

function plain(value: unknown, role: string): Message | null {
  return typeof value === 'string' ? { role, parts: [{ kind: 'text', text: value }] } : null;
}

function message(value: unknown, role: string): Message | null {
  if (!isMembers(value)) {
    return null;
  }
  if (isMembers(value['kwargs']) && Array.isArray(value['id'])) {
    const type = String(value['id'][value['id'].length - 1]).replace(/Message(Chunk)?$/, '').toLowerCase();
    return message({ ...value['kwargs'], role: type }, role);
  }
  if (isMembers(value['data']) && typeof value['type'] === 'string') {
    return message({ ...value['data'], role: value['type'] }, role);
  }
  if (textOf(value['role']) === null && ITEMS.includes(String(value['type']))) {
    return responseItem(value);
  }
  const isTyped = typeof value['type'] === 'string' && ('content' in value || 'tool_calls' in value);
  const named = textOf(value['role']) ?? (isTyped && value['type'] !== 'message' ? textOf(value['type']) : null);
  if (named === null && !('content' in value && ('tool_calls' in value || Array.isArray(value['content'])))) {
    return null;
  }
  const content = value['content'] ?? value['parts'];
  const found: Part[] = typeof content === 'string' ? (content ? [{ kind: 'text', text: content }] : []) : Array.isArray(content) ? parts(content) : content === null || content === undefined ? [] : [{ kind: 'json', value: content }];
  found.push(...calls(value));
  const own = ROLES[named ?? ''] ?? named ?? role;
  if (own === 'tool' && !found.some((one) => one.kind === 'result')) {
    const first = found[0];
    const output = first?.kind === 'text' && found.length === 1 ? parsed(first.text) : content;
    return { role: 'tool', parts: [{ kind: 'result', id: String(value['tool_call_id'] ?? ''), name: String(value['name'] ?? ''), output }] };
  }
  return { role: own, parts: found };
}

function responseItem(item: Members): Message {
  const id = String(item['call_id'] ?? item['id'] ?? '');
  const name = String(item['name'] ?? 'tool');
  switch (item['type']) {
    case 'function_call':
      return { role: 'assistant', parts: [{ kind: 'call', id, name, input: parsed(item['arguments']) }] };
    case 'function_call_output':
      return { role: 'tool', parts: [{ kind: 'result', id, name: '', output: parsed(item['output']) }] };
    default: {
      const summary = Array.isArray(item['summary']) ? parts(item['summary']) : [];
      return { role: 'assistant', parts: summary.map((one) => (one.kind === 'text' ? { kind: 'reasoning', text: one.text } : one)) };
    }
  }
}

function calls(value: Members): Part[] {
  const kwargs = isMembers(value['additional_kwargs']) ? value['additional_kwargs'] : {};
  const list = Array.isArray(value['tool_calls']) && value['tool_calls'].length ? value['tool_calls'] : Array.isArray(kwargs['tool_calls']) ? kwargs['tool_calls'] : [];
  return list.filter(isMembers).map((call) => {
    const fn = isMembers(call['function']) ? call['function'] : call;
    return { kind: 'call' as const, id: String(call['id'] ?? ''), name: String(fn['name'] ?? 'tool'), input: parsed(fn['arguments'] ?? fn['args'] ?? call['args']) };
  });
}

function parts(list: readonly unknown[]): Part[] {
  return list.flatMap((item): Part[] => {
    if (typeof item === 'string') {
      return [{ kind: 'text', text: item }];
    }
    if (!isMembers(item)) {
      return [{ kind: 'json', value: item }];
    }
    return item['type'] === 'step-start' ? [] : [part(item)];
  });
}

function part(item: Members): Part {
  const type = String(item['type'] ?? '').replaceAll('-', '_');
  const name = String(item['name'] ?? item['toolName'] ?? 'tool');
  const id = String(item['tool_use_id'] ?? item['toolCallId'] ?? item['call_id'] ?? item['id'] ?? '');
  const text = textOf(item['text']) ?? textOf(item['content']) ?? textOf(item['thinking']) ?? textOf(item['reasoning']);
  if (type === 'tool_use' || type === 'tool_call') {
    return { kind: 'call', id, name, input: parsed(item['input'] ?? item['args'] ?? item['arguments']) };
  }
  if (type === 'tool_result' || type === 'tool_call_response') {
    return { kind: 'result', id, name, output: unwrapped(item['content'] ?? item['result'] ?? item['output'] ?? item['response']) };
  }
  if ((type.startsWith('tool_') || type === 'dynamic_tool') && 'toolCallId' in item) {
    const result = item['output'] ?? item['errorText'];
    return { kind: 'call', id, name: type === 'dynamic_tool' ? name : String(item['type']).slice('tool-'.length), input: item['input'], ...(result === undefined ? {} : { result }) };
  }
  const url = imageUrl(item);
  if (url) {
    return { kind: 'image', url };
  }
  if (text !== null) {
    return { kind: type === 'thinking' || type === 'reasoning' ? 'reasoning' : 'text', text };
  }
  return { kind: 'json', value: item };
}

/** The AI SDK wraps the outputs of tools. */
function unwrapped(output: unknown): unknown {
  return isMembers(output) && typeof output['type'] === 'string' && 'value' in output ? output['value'] : output;
}

/** Only images in the message itself: the page loads nothing from other hosts. */
function imageUrl(item: Members): string | null {
  const image = item['image_url'] ?? item['image'] ?? item['source'];
  const holder = isMembers(image) ? image : item;
  const url = textOf(image) ?? textOf(holder['url']);
  if (url?.startsWith('data:image/')) {
    return url;
  }
  const type = textOf(holder['media_type'] ?? holder['mediaType'] ?? holder['mime_type'] ?? holder['mimeType']) ?? (isMembers(image) ? 'image/png' : '');
  const data = textOf(holder['data'] ?? (item['type'] === 'blob' ? item['content'] : null));
  return data !== null && type.startsWith('image/') ? `data:${type};base64,${data}` : null;
}

/** Puts the result of each tool call beside the call; results without a call stay where they are. */
export function withResults(messages: readonly Message[]): Message[] {
  const open = new Map<string, Extract<Part, { kind: 'call' }>>();
  const joined: Message[] = [];
  for (const { role, parts: own } of messages) {
    const rest: Part[] = [];
    for (const one of own) {
      if (one.kind === 'call') {
        const call = { ...one };
        rest.push(call);
        if (one.id) {
          open.set(one.id, call);
        }
      } else if (one.kind === 'result' && open.has(one.id)) {
        open.get(one.id)!.result = one.output;
      } else {
        rest.push(one);
      }
    }
    if (rest.length || own.length === 0) {
      joined.push({ role, parts: rest });
    }
  }
  return joined;
}
