/** The string at a JSON Pointer in the reply of an earlier exchange. */
export interface FromReply {
  readonly $: 'reply';
  readonly exchange: string;
  readonly pointer: string;
}

/** A value inside a body that only the run can tell. */
export type Hole =
  /** The declared model of the caller, with something before its name or behind it where that is given. */
  { readonly $: 'model'; readonly prefix?: string; readonly suffix?: string } | FromReply;

export const isHole = (template: Template): template is Hole =>
  typeof template === 'object' && template !== null && '$' in template;

export type Template =
  | null
  | boolean
  | number
  | string
  | Hole
  | readonly Template[]
  | { readonly [key: string]: Template };
