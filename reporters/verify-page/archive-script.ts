/** How the page that verifies reads a folder or an archive: each file by its path, read when it is asked for. */
export const archiveScript = String.raw`
  const [mostFiles, mostBytes] = [50000, 1000000000];
  const refuse = (why) => { throw new Error(why); };
  const added = (files, path, read) => {
    if (files.has(path)) refuse(path + ' stands twice in the archive');
    if (files.size >= mostFiles) refuse('it holds more than ' + mostFiles + ' files');
    files.set(path, read);
  };
  const ofFolder = (list) => {
    const files = new Map();
    for (const file of list) added(files, file.webkitRelativePath || file.name, async () => new Uint8Array(await file.arrayBuffer()));
    return files;
  };
  // What is dropped: by handles where there are any, since Chromium reads no entry on a page that is opened from a file.
  const ofHandle = (handle) => ({ name: handle.name, isFile: handle.kind === 'file', file: () => handle.getFile(), children: async () => {
    const all = [];
    for await (const one of handle.values()) all.push(ofHandle(one));
    return all;
  } });
  const ofEntry = (entry) => ({ name: entry.name, isFile: entry.isFile, file: () => new Promise((resolve, reject) => entry.file(resolve, reject)), children: async () => {
    const [reader, all] = [entry.createReader(), []];
    for (;;) {
      const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
      if (some.length === 0) return all;
      all.push(...some.map(ofEntry));
    }
  } });
  const ofDropped = async (dropped) => {
    const files = new Map();
    const walk = async (node, path, depth) => {
      if (depth > 16) refuse('it is nested too deeply');
      if (!node.isFile) {
        for (const one of await node.children()) await walk(one, path + '/' + one.name, depth + 1);
        return;
      }
      const file = await node.file();
      added(files, path, async () => new Uint8Array(await file.arrayBuffer()));
    };
    for (const node of dropped) await walk(node, node.name, 0);
    return files;
  };
  const unpacked = async (bytes, format) => {
    const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream(format)).getReader();
    const parts = [];
    let size = 0;
    for (let { done, value } = await reader.read(); !done; { done, value } = await reader.read()) {
      size += value.length;
      if (size > mostBytes) refuse('it is larger than ' + mostBytes + ' bytes');
      parts.push(value);
    }
    const all = new Uint8Array(size);
    let at = 0;
    for (const part of parts) { all.set(part, at); at += part.length; }
    return all;
  };
  const ofTar = (bytes) => {
    const files = new Map();
    const text = (from, length) => new TextDecoder().decode(bytes.subarray(from, from + length)).replace(/\0.*$/s, '');
    let long;
    for (let at = 0; at + 512 <= bytes.length && bytes[at] !== 0;) {
      const [size, kind] = [Number.parseInt(text(at + 124, 12).trim() || '0', 8), String.fromCharCode(bytes[at + 156] || 48)];
      if (!Number.isSafeInteger(size) || size < 0 || at + 512 + size > bytes.length) refuse('it is no whole tar archive');
      const prefix = text(at + 257, 5) === 'ustar' && text(at + 257, 8) !== 'ustar  ' ? text(at + 345, 155) : '';
      const name = long ?? (prefix === '' ? '' : prefix + '/') + text(at, 100);
      const start = at + 512;
      const next = start + Math.ceil(size / 512) * 512;
      long = undefined;
      if (kind === '0') added(files, name, async () => bytes.slice(start, start + size));
      else if (kind === 'L') long = text(start, size);
      else if (kind === 'x') {
        const found = /(?:^|\n)\d+ path=([^\n]*)\n/.exec(new TextDecoder().decode(bytes.subarray(start, start + size)));
        if (found) long = found[1];
      } else if (kind !== '5' && kind !== 'g') refuse(name + ' is neither a file nor a folder');
      at = next;
    }
    return files;
  };
  const ofZip = (bytes) => {
    const files = new Map();
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let end = bytes.length - 22;
    while (end >= 0 && view.getUint32(end, true) !== 0x06054b50) end -= 1;
    if (end < 0) refuse('it is no whole zip archive');
    const amount = view.getUint16(end + 10, true);
    let at = view.getUint32(end + 16, true);
    for (let entry = 0; entry < amount; entry += 1) {
      if (at + 46 > bytes.length || view.getUint32(at, true) !== 0x02014b50) refuse('it is no whole zip archive');
      const [flags, method, packed] = [view.getUint16(at + 8, true), view.getUint16(at + 10, true), view.getUint32(at + 20, true)];
      const [length, extra, comment, local] = [view.getUint16(at + 28, true), view.getUint16(at + 30, true), view.getUint16(at + 32, true), view.getUint32(at + 42, true)];
      const name = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + length));
      if (flags % 2 === 1 || packed === 0xffffffff || (method !== 0 && method !== 8)) refuse(name + ' is packed in a way that this page can not read');
      if (view.getUint16(at + 6, true) >= 0 && (view.getUint32(at + 38, true) >>> 28) === 10) refuse(name + ' is neither a file nor a folder');
      if (local + 30 > bytes.length || view.getUint32(local, true) !== 0x04034b50) refuse('it is no whole zip archive');
      const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
      const content = bytes.subarray(start, start + packed);
      if (!name.endsWith('/')) added(files, name, async () => method === 0 ? content.slice() : unpacked(content, 'deflate-raw'));
      at += 46 + length + extra + comment;
    }
    return files;
  };
  const ofArchive = async (file) => {
    if (file.size > mostBytes) refuse('it is larger than ' + mostBytes + ' bytes');
    const bytes = new Uint8Array(await file.arrayBuffer());
    if (bytes[0] === 0x50 && bytes[1] === 0x4b) return ofZip(bytes);
    if (bytes[0] === 0x1f && bytes[1] === 0x8b) return ofTar(await unpacked(bytes, 'gzip'));
    return ofTar(bytes);
  };
  // The bundle is where its certificate lies, or else its report; what lies beside that is no part of it.
  const bundleIn = (all) => {
    const paths = [...all.keys()].map((path) => [path, path.replace(/^(\.\/)+/, '')]);
    const last = (path) => path.slice(path.lastIndexOf('/') + 1);
    const found = ['certificate.json', 'report.json'].flatMap((name) => paths.filter(([, path]) => last(path) === name))
      .sort(([, one], [, other]) => one.split('/').length - other.split('/').length)[0];
    if (found === undefined) refuse('there is neither certificate.json nor report.json in it: choose the folder that a run wrote, or an archive of it (zip, tar, tar.gz)');
    const base = found[1].slice(0, found[1].lastIndexOf('/') + 1);
    const files = new Map(paths.filter(([, path]) => path.startsWith(base)).map(([path, own]) => [own.slice(base.length), all.get(path)]));
    return { files, outside: paths.filter(([, path]) => !path.startsWith(base)).map(([path]) => path) };
  };`;
