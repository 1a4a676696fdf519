/** Schemas of the OpenAPI document that a reply or a stream event is held against (sections 2.3 to 2.6, 4.1). */
export const schemaNames = [
  'ResponsesResult',
  'OutputMessage',
  'ResponsesEvent',
  'TextDelta',
  'MessageResult',
  'ChatCompletion',
  'ChatChunk',
  'ImageResult',
  'ImageUrlResult',
] as const;
export type SchemaName = (typeof schemaNames)[number];
