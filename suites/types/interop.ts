import type { Protocol } from '../../spec/vocabulary.ts';

/** The official clients that `--interop` knows, each by the packages that it is made of. */
export const interopPackages = {
  openai: ['openai'],
  '@anthropic-ai/sdk': ['@anthropic-ai/sdk'],
  'ai with @ai-sdk/openai': ['ai', '@ai-sdk/openai'],
  'ai with @ai-sdk/anthropic': ['ai', '@ai-sdk/anthropic'],
} as const;
export type InteropClientName = keyof typeof interopPackages;

/** What a client is to see: an answer, whole or streamed, or one of the failure classes of section 7. */
export type InteropAsked = 'answer' | 'stream' | 'invalid-token' | 'spent-token' | 'unknown-model';

/** What came of one request that a client made. */
export interface InteropResult {
  readonly protocol: Protocol;
  readonly asked: InteropAsked;
  /** Whether the client gave what a program needs: text or an image, or the error of the class that is due. */
  readonly ok: boolean;
  /** What the client gave instead, in its own words. */
  readonly error?: string;
}

/** How one official client got on with the target. No verdict depends on it. */
export interface InteropClient {
  readonly client: InteropClientName;
  /** Of its packages, by name; none where it is not installed. */
  readonly versions: Readonly<Record<string, string>>;
  /** The base URL that it was given (4.2: without `/v1` where it appends that itself). */
  readonly baseUrl: string;
  /** What it was told besides its defaults, and what of its requests the interface does not show. */
  readonly notes: readonly string[];
  /** Why it was not tried. */
  readonly notRun?: string;
  /** Generations that the target may have billed for it, at most. */
  readonly generations: number;
  readonly results: readonly InteropResult[];
}
