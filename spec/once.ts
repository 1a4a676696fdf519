/** Calls the function at the first use and keeps what it gave. */
export function once<T>(make: () => T): () => T {
  let kept: { readonly value: T } | undefined;
  return () => {
    kept ??= { value: make() };
    return kept.value;
  };
}

/** Calls the function at the first use of each key and keeps what it gave. */
export function oncePer<K, T>(make: (key: K) => T): (key: K) => T {
  const kept = new Map<K, { readonly value: T }>();
  return (key) => {
    const known = kept.get(key) ?? { value: make(key) };
    kept.set(key, known);
    return known.value;
  };
}

/** The same for each object, and as long as it is in use. */
export function oncePerObject<K extends object, T>(make: (key: K) => T): (key: K) => T {
  const kept = new WeakMap<K, { readonly value: T }>();
  return (key) => {
    const known = kept.get(key) ?? { value: make(key) };
    kept.set(key, known);
    return known.value;
  };
}
