/** A page with what its script puts together when it is opened; for tests only. */
export function unpacked(page: string): string {
  const table = /<script type="application\/json" id="lines">(.*)<\/script>/.exec(page)?.[1] ?? '[]';
  const lines = JSON.parse(table) as string[];
  return page.replace(/<div data-packed="([^"]*)"><\/div>/g, (_, numbers: string) =>
    numbers
      .split(' ')
      .map((number) => lines[Number.parseInt(number, 36)])
      .join(''),
  );
}
