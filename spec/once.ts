/** Calls the function at the first use and keeps what it gave. */
export function once<T>(make: () => T): () => T {
  let kept: { readonly value: T } | undefined;
  return () => {
    kept ??= { value: make() };
    return kept.value;
  };
}

/** A function that keeps what it gave for each key. */
const keeping =
  <K, T>(
    kept: {
      get(key: K): { readonly value: T } | undefined;
      set(key: K, value: { readonly value: T }): unknown;
    },
    make: (key: K) => T,
  ): ((key: K) => T) =>
  (key) => {
    const known = kept.get(key) ?? { value: make(key) };
    kept.set(key, known);
    return known.value;
  };

/** Calls the function at the first use of each key and keeps what it gave. */
export const oncePer = <K, T>(make: (key: K) => T): ((key: K) => T) => keeping(new Map(), make);

/** The same for each object, and as long as it is in use. */
export const oncePerObject = <K extends object, T>(make: (key: K) => T) => keeping(new WeakMap(), make);
