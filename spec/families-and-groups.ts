/** Model families of section 2.2; `chat-image` is an image model of the multimodal family, called through chat (4.5). */
export const families = ['general', 'conversational', 'multimodal', 'image', 'chat-image'] as const;
export type Family = (typeof families)[number];

/** Token groups of section 2.1; an extension may add others, which then stand in their place. */
export const groups = ['default', 'coding-tool', 'third-party-client'] as const;
export type Group = (typeof groups)[number];
