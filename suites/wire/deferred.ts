/** A promise, and what settles it. */
export function deferred<Result = void>() {
  const settle = {} as { resolve: (result: Result) => void; reject: (reason: unknown) => void };
  const promise = new Promise<Result>((resolve, reject) => {
    Object.assign(settle, { resolve, reject });
  });
  return { promise, ...settle };
}

/** Tells all that wait that something changed. */
export function createSignal() {
  let next = deferred();
  return {
    changed: (): Promise<void> => next.promise,
    tell: (): void => {
      next.resolve();
      next = deferred();
    },
  };
}
