/** What stands in place of a reason until somebody gives one. */
const placeholder = 'TODO';

/** The reason of a new entry, to be replaced. */
export const reasonPlaceholder = `${placeholder}: say why`;

/** The same for a requirement that could not be judged, mostly because of a failure. */
export const unjudgedPlaceholder = `${placeholder}: could not be judged; say why`;

/** Whether nobody has said yet why an entry is there. */
export const isUnexplained = ({ reason }: { readonly reason: string }): boolean =>
  reason.trim().startsWith(placeholder);
