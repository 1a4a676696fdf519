// Joins the compiled modules into the few files that the package has: to find, read and link hundreds of modules takes
// longer than most commands do.
import { join } from 'node:path';
import { rolldown } from 'rolldown';

/** Modules that something outside of the build loads. Names are paths below dist/, without the extension. */
const product = ['cli/main', 'cli/api/index', 'cli/vitest/index', 'cli/proxy/live-judge'];
/** The same for what only a checkout has: measuring, detecting, drawing. They have no code in common with the product. */
const tools = ['detection/main', 'detection/fairness-main', 'detection/reported-main', 'scripts/internals'];

/** Everything that is installed stays outside, with its own license and its own updates. */
const isInstalled = (id) => !/^[./]|^[A-Za-z]:/.test(id);

/**
 * @param {string} compiled folder of the compiled modules
 * @param {string} into folder that gets the files
 */
export async function bundle(compiled, into) {
  for (const [names, dir] of [
    [product, into],
    [tools, join(into, 'tools')],
  ]) {
    const input = Object.fromEntries(names.map((name) => [name, join(compiled, `${name}.js`)]));
    const build = await rolldown({ input, external: isInstalled, platform: 'node' });
    await build.write({
      dir,
      format: 'esm',
      chunkFileNames: 'chunks/[name].js',
      entryFileNames: '[name].js',
      // Names of functions and files stay, for stack traces; of the compiled schemas two fifths are indentation.
      minify: {
        compress: true,
        mangle: { toplevel: false, keepNames: true },
        codegen: { removeWhitespace: true },
      },
    });
    await build.close();
  }
}
