export type { InteropAsked, InteropClient, InteropResult } from './report.ts';

/** The official clients that `--interop` knows, each by the packages that it is made of. */
export const interopPackages = {
  openai: ['openai'],
  '@anthropic-ai/sdk': ['@anthropic-ai/sdk'],
  'ai with @ai-sdk/openai': ['ai', '@ai-sdk/openai'],
  'ai with @ai-sdk/anthropic': ['ai', '@ai-sdk/anthropic'],
} as const;
export type InteropClientName = keyof typeof interopPackages;
