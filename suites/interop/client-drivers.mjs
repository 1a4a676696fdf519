// @ts-check
// How each official client is asked, and what its errors are. The clients are optional, so nothing is known of their
// types here. JavaScript, because Node loads the process of the clients itself, also where tests run from the sources.

/** @import { Trial } from './trials.ts' */
/** @typedef {'authentication' | 'rate-limit' | 'general' | 'connection' | 'timeout' | 'own'} ErrorClass */

/**
 * @typedef {object} Call
 * @property {Trial} trial
 * @property {typeof fetch} fetch
 * @property {AbortSignal} signal
 * @property {number} timeoutMs
 */
/** @typedef {Record<string, any>} Package */
/**
 * @typedef {object} Driver
 * @property {(call: Call) => Promise<string>} ask text, or what stands for an image; empty where none came
 * @property {(error: any) => ErrorClass} classOf
 */

const question = 'Reply with the word hello.';
const picture = 'A plain red circle on a white background';
const turns = [{ role: 'user', content: question }];
const maxTokens = 256;

/**
 * @param {AsyncIterable<any>} events
 * @param {(event: any) => unknown} textOf
 */
async function textIn(events, textOf) {
  let text = '';
  for await (const event of events) text += String(textOf(event) ?? '');
  return text;
}

/**
 * The classes of the two official SDKs, which share their design.
 * @param {any} Client
 * @returns {(error: any) => ErrorClass}
 */
const classBy = (Client) => (error) => {
  if (error instanceof Client.AuthenticationError) return 'authentication';
  if (error instanceof Client.RateLimitError) return 'rate-limit';
  if (error instanceof Client.APIConnectionTimeoutError || error instanceof Client.APIUserAbortError)
    return 'timeout';
  if (error instanceof Client.APIConnectionError) return 'connection';
  return error instanceof Client.APIError && typeof error.status === 'number' ? 'general' : 'own';
};

/** @param {Call} call */
const settings = ({ trial: { baseUrl, apiKey, headers }, fetch, timeoutMs }) => ({
  baseURL: baseUrl,
  apiKey,
  fetch,
  maxRetries: 0,
  timeout: timeoutMs,
  defaultHeaders: headers,
});

/** @param {Package} packages @returns {Driver} */
function openai({ openai: { default: OpenAI } }) {
  /** @param {Call} call */
  const ask = async (call) => {
    const { protocol, asked, model, size } = call.trial;
    const client = new OpenAI({ ...settings(call), organization: null, project: null });
    const own = { signal: call.signal };
    const stream = asked === 'stream';
    if (protocol === 'images') {
      const { data } = await client.images.generate({ model, prompt: picture, n: 1, size }, own);
      return data?.[0]?.url ?? data?.[0]?.b64_json ?? '';
    }
    if (protocol === 'responses') {
      const reply = await client.responses.create({ model, input: question, stream }, own);
      return stream
        ? textIn(reply, ({ type, delta }) => (type === 'response.output_text.delta' ? delta : ''))
        : reply.output_text;
    }
    const reply = await client.chat.completions.create({ model, messages: turns, stream }, own);
    return stream
      ? textIn(reply, ({ choices }) => choices[0]?.delta.content)
      : reply.choices[0].message.content;
  };
  return { ask, classOf: classBy(OpenAI) };
}

/** @param {Package} packages @returns {Driver} */
function anthropic({ '@anthropic-ai/sdk': { default: Anthropic } }) {
  /** @param {Call} call */
  const ask = async (call) => {
    const { asked, model } = call.trial;
    const client = new Anthropic({ ...settings(call), authToken: null });
    const stream = asked === 'stream';
    const body = { model, max_tokens: maxTokens, messages: turns, stream };
    const reply = await client.messages.create(body, { signal: call.signal });
    if (!stream)
      return reply.content.find((/** @type {any} */ block) => typeof block.text === 'string')?.text;
    return textIn(reply, ({ type, delta }) => (type === 'content_block_delta' ? delta.text : ''));
  };
  return { ask, classOf: classBy(Anthropic) };
}

/** @param {Package} ai @param {(call: Call) => any} modelOf @returns {Driver} */
function vercel(ai, modelOf) {
  const { generateText, streamText, APICallError } = ai;
  const generateImage = ai.generateImage ?? ai.experimental_generateImage;
  /** @param {Call} call */
  const ask = async (call) => {
    const { protocol, asked, size } = call.trial;
    const model = modelOf(call);
    const own = { model, maxRetries: 0, abortSignal: call.signal };
    if (protocol === 'images') {
      const { images } = await generateImage({ ...own, prompt: picture, n: 1, size });
      return images[0]?.base64 ?? '';
    }
    const asks = {
      ...own,
      prompt: question,
      ...(protocol === 'messages' ? { maxOutputTokens: maxTokens } : {}),
    };
    if (asked !== 'stream') return (await generateText(asks)).text;
    // It tells errors as parts of the stream, and would print them.
    const { fullStream } = streamText({ ...asks, onError: () => undefined });
    return textIn(fullStream, ({ type, text, error }) => {
      if (type === 'error') throw error;
      return type === 'text-delta' ? text : '';
    });
  };
  /** @param {any} error @returns {ErrorClass} */
  const classOf = (error) => {
    if (error?.name === 'AbortError' || error?.name === 'TimeoutError') return 'timeout';
    if (!APICallError.isInstance(error)) return 'own';
    const { statusCode } = error;
    if (statusCode === undefined) return 'connection';
    if (statusCode === 401) return 'authentication';
    if (statusCode === 429) return 'rate-limit';
    return statusCode >= 400 ? 'general' : 'own';
  };
  return { ask, classOf };
}

/** @param {Call} call */
const providerSettings = ({ trial: { baseUrl, apiKey, headers }, fetch }) => ({
  baseURL: baseUrl,
  apiKey,
  headers,
  fetch,
});

/** By client: makes its driver of its packages, by name. @type {Record<Trial['client'], (packages: Package) => Driver>} */
export const drivers = {
  openai,
  '@anthropic-ai/sdk': anthropic,
  'ai with @ai-sdk/openai': ({ ai, '@ai-sdk/openai': { createOpenAI } }) =>
    vercel(ai, (call) => {
      const provider = createOpenAI(providerSettings(call));
      const { protocol, model } = call.trial;
      if (protocol === 'images') return provider.image(model);
      return protocol === 'responses' ? provider.responses(model) : provider.chat(model);
    }),
  'ai with @ai-sdk/anthropic': ({ ai, '@ai-sdk/anthropic': { createAnthropic } }) =>
    vercel(ai, (call) => createAnthropic(providerSettings(call))(call.trial.model)),
};
