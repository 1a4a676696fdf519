/** Without what a model leaves out or adds at random: white space, punctuation, capitals. */
export const bare = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{M}\p{N}]/gu, '');
