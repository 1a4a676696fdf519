import { certificateFile, certifiedFiles, payloadType, predicateType } from '../certificate/statement.ts';
import { archiveScript } from './archive-script.ts';

/** What the script takes from the suite. */
const constants = JSON.stringify({ certificateFile, certifiedFiles, payloadType, predicateType });

/** What the page does with a bundle, by WebCrypto. It shares no code with the command, so that both would have to be wrong. */
export const verifyScript = String.raw`'use strict';
(() => {
  const { certificateFile, certifiedFiles, payloadType, predicateType } = ${constants};
${archiveScript}
  const find = (id) => document.getElementById(id);
  const textOf = (bytes) => new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  const hexOf = (buffer) => [...new Uint8Array(buffer)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  const sha256 = async (bytes) => hexOf(await crypto.subtle.digest('SHA-256', bytes));
  const bytesOf = (base64) => Uint8Array.from(atob(base64), (one) => one.charCodeAt(0));
  const canonical = (base64) => typeof base64 === 'string' && btoa(atob(base64)) === base64;
  const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
  const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

  const readCertificate = (bytes) => {
    const text = textOf(bytes);
    const envelope = JSON.parse(text);
    if (!isObject(envelope) || JSON.stringify(envelope, null, 2) + '\n' !== text || envelope.payloadType !== payloadType)
      throw new Error('it is not written as the suite writes it');
    if (!canonical(envelope.payload) || !Array.isArray(envelope.signatures) || envelope.signatures.length > 1 ||
      !envelope.signatures.every((one) => isObject(one) && /^[0-9a-f]{64}$/.test(one.keyid) && canonical(one.sig)))
      throw new Error('its payload or its signature is none');
    const payload = textOf(bytesOf(envelope.payload));
    const statement = JSON.parse(payload);
    if (!isObject(statement) || JSON.stringify(statement) !== payload) throw new Error('its statement is not written as the suite writes it');
    if (statement.predicateType !== predicateType) throw new Error('it is of another format, ' + statement.predicateType + ', and this page reads ' + predicateType);
    const isSubject = (one) => isObject(one) && typeof one.name === 'string' && isObject(one.digest) && typeof one.digest.sha256 === 'string';
    if (!Array.isArray(statement.subject) || !statement.subject.every(isSubject) || !isObject(statement.predicate))
      throw new Error('its statement names no files, or says nothing of them');
    return { envelope, statement };
  };

  const keyOf = async (pem) => {
    const [, body] = /-----BEGIN PUBLIC KEY-----([A-Za-z0-9+/=\s]+)-----END PUBLIC KEY-----/.exec(pem) ?? [];
    if (body === undefined) throw new Error('the key is no public key in PEM');
    const der = bytesOf(body.replace(/\s+/g, ''));
    return { keyid: await sha256(der), key: await crypto.subtle.importKey('spki', der, { name: 'Ed25519' }, false, ['verify']) };
  };
  const signedBytes = ({ payloadType: type, payload }) => {
    const content = bytesOf(payload);
    const head = new TextEncoder().encode('DSSEv1 ' + type.length + ' ' + type + ' ' + content.length + ' ');
    const all = new Uint8Array(head.length + content.length);
    all.set(head);
    all.set(content, head.length);
    return all;
  };
  const signature = async ({ envelope }, pem) => {
    const name = 'Signature';
    const [own] = envelope.signatures;
    if (pem.trim() === '') return { name, open: true, detail: own ? 'not checked: give the public key; it claims the key ' + own.keyid : 'none: the bundle is unsigned', problems: [] };
    try {
      const { keyid, key } = await keyOf(pem);
      if (!own) return { name, detail: 'none', problems: ['the bundle is unsigned, and a key was given'] };
      if (own.keyid !== keyid) return { name, detail: 'of the key ' + own.keyid, problems: ['it is not of the key ' + keyid] };
      const isValid = await crypto.subtle.verify({ name: 'Ed25519' }, key, bytesOf(own.sig), signedBytes(envelope));
      return { name, detail: (isValid ? 'valid, of the key ' : 'of the key ') + keyid, problems: isValid ? [] : ['it is not valid: what was signed was changed'] };
    } catch (error) {
      return { name, detail: 'not checked', problems: [error.name === 'NotSupportedError' ? 'this browser knows no Ed25519: use another one, or the command' : error.message || 'the key can not be read'] };
    }
  };

  const requiredBeside = (names) => {
    const runs = new Set(names.flatMap((name) => /^runs\/\d+\//.exec(name) ?? []));
    if (runs.size === 0) return certifiedFiles.run;
    return [...certifiedFiles.runs, ...[...runs].flatMap((run) => certifiedFiles.eachOfRuns.map((name) => run + name))];
  };
  const filesStep = async ({ statement }, files, outside) => {
    const problems = outside.map((name) => name + ' lies outside of the bundle');
    const listed = new Map();
    for (const { name, digest } of statement.subject) {
      if (listed.has(name)) problems.push(name + ' is certified twice');
      listed.set(name, digest.sha256);
    }
    for (const name of requiredBeside([...listed.keys()])) if (!listed.has(name)) problems.push(name + ' is not certified');
    for (const [name, wanted] of listed) {
      if (!files.has(name)) problems.push(name + ' is missing');
      else if (await sha256(await files.get(name)()) !== wanted) problems.push(name + ' was changed: its digest is another');
    }
    for (const name of files.keys()) if (name !== certificateFile && !listed.has(name)) problems.push(name + ' was added');
    return { name: 'Files', detail: listed.size + ' are certified, ' + (files.size - 1) + ' are there', problems };
  };

  const countOf = (rows) => {
    const counts = { pass: 0, fail: 0, inconclusive: 0, untested: 0, observed: 0, conflict: 0 };
    for (const { verdict } of rows) counts[verdict] += 1;
    return counts;
  };
  const scopeProblems = (predicate, report, runs) => {
    const { suite, target, run, scope, requirements } = report;
    const rows = requirements.filter((row) => (row.level === 'stated' || row.level === 'derived') && row.provisional === undefined);
    const of = (...verdicts) => rows.filter(({ verdict }) => verdicts.includes(verdict));
    const checks = [
      ['suite', predicate.suite, suite], ['target', predicate.target, target], ['verdict', predicate.verdict, report.verdict],
      ['run', predicate.runId, run.id], ['time', predicate.finishedAt, run.finishedAt],
      ['families', predicate.scope.families, scope.families], ['groups', predicate.scope.groups, scope.groups],
      ['further models', predicate.scope.furtherModels, scope.furtherModels],
      ['rate limits', predicate.scope.rateLimited, scope.rateLimited], ['profile', predicate.scope.profile, scope.profile],
      ['summary', predicate.summary, countOf(requirements)],
      ['requirements that are not covered', predicate.notCovered.map(({ requirement }) => requirement), of('untested').map(({ id }) => id)],
    ];
    const evidence = [
      ...runs.flatMap(({ id, header }) => [
        ['suite', suite, header.suite], ['run', id, header.runId],
        ['target', target, { name: header.target.name, baseUrl: header.target.baseUrl }],
      ]),
      ['time', run.startedAt, runs[0]?.header.startedAt],
    ];
    const judged = of('pass', 'fail').length + ' of ' + rows.length + ' requirement';
    return [
      ...checks.filter(([, one, other]) => !same(one, other)).map(([what]) => what + ': the certificate says another than report.json'),
      ...evidence.filter(([, one, other]) => !same(one, other)).map(([what]) => what + ': report.json says another than the evidence'),
      ...(predicate.covers.startsWith(judged) ? [] : ['what it covers: report.json has ' + judged + 's']),
      ...runs.filter(({ id }) => run.repeat && !predicate.covers.includes(id)).map(({ id }) => 'what it covers: the run ' + id + ' is not named'),
      ...of('fail', 'inconclusive').map(({ id, verdict }) => id + ' is ' + verdict + ' in report.json: no certificate is given for that'),
      ...(run.partial || Object.values(scope.selection).some((list) => list.length > 0) ? ['only a part was run: no certificate is given for that'] : []),
    ];
  };
  const scopeStep = async ({ statement: { predicate } }, files) => {
    const name = 'Scope';
    try {
      const json = async (file) => JSON.parse(textOf(await files.get(file)()));
      const report = await json('report.json');
      const headerIn = async (file) => {
        const evidence = textOf(await files.get(file)());
        return JSON.parse(evidence.slice(0, evidence.indexOf('\n')));
      };
      const evidenceOf = ({ run }) => run === undefined ? 'evidence.jsonl' : 'runs/' + run + '/evidence.jsonl';
      const parts = report.run.repeat?.runs ?? [{ id: report.run.id }];
      const runs = await Promise.all(parts.map(async (part) => ({ id: part.id, header: await headerIn(evidenceOf(part)) })));
      return { name, detail: String(predicate.covers), problems: scopeProblems(predicate, report, runs) };
    } catch (error) {
      return { name, detail: 'not readable', problems: ['report.json or the evidence can not be read: ' + error.message] };
    }
  };

  const make = (tag, attributes, ...content) => {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...content);
    return element;
  };
  const shorten = (text) => text.length > 400 ? text.slice(0, 400) + '…' : text;
  const most = 20;
  const stepItem = ({ name, detail, problems, open }) => {
    const [tone, sign] = problems.length > 0 ? ['fail', '✕'] : open ? ['untested', '–'] : ['pass', '✓'];
    const rest = problems.length > most ? [make('li', {}, 'and ' + (problems.length - most) + ' more')] : [];
    return make('li', {}, make('span', { class: 'v ' + tone }, sign + ' ' + name), ' ' + shorten(detail),
      make('ul', {}, ...problems.slice(0, most).map((problem) => make('li', {}, shorten(problem))), ...rest));
  };
  const conclude = (steps) => {
    if (steps.some(({ problems }) => problems.length > 0)) return ['fail', 'Changed, or not what it says it is.'];
    if (steps.some(({ open }) => open)) return ['untested', 'Files and scope agree. The signature was not checked: whoever changed all of it could have made it.'];
    return ['pass', 'Files, signature and scope agree.'];
  };
  const present = (steps, predicate) => {
    const [tone, words] = conclude(steps);
    const facts = predicate === undefined ? [] : [['Target', predicate.target?.name + ', ' + predicate.target?.baseUrl], ['Verdict', predicate.verdict],
      ['Covers', predicate.covers], ['Not covered', predicate.doesNotCover], ['Judged', predicate.finishedAt + ', by the suite ' + predicate.suite?.version]];
    find('outcome').replaceChildren(
      make('p', { class: 'word', id: 'conclusion', 'data-tone': tone }, make('span', { class: 'v ' + tone }, tone === 'pass' ? '✓' : tone === 'fail' ? '✕' : '–'), ' ' + words),
      make('dl', { class: 'facts broad' }, ...facts.map(([name, value]) => make('div', {}, make('dt', {}, name), make('dd', {}, shorten(String(value)))))),
      make('ul', { class: 'plain', id: 'steps' }, ...steps.map(stepItem)));
  };

  const check = async (all) => {
    const { files, outside } = bundleIn(all);
    if (!files.has(certificateFile)) return present([{ name: 'Certificate', detail: 'none', problems: ['there is no ' + certificateFile + ': no digest can be checked, and nobody vouches for this folder'] }]);
    let certificate;
    try {
      certificate = readCertificate(await files.get(certificateFile)());
    } catch (error) {
      return present([{ name: 'Certificate', detail: 'not readable', problems: [certificateFile + ' is no certificate: ' + error.message] }]);
    }
    const steps = [await signature(certificate, find('key').value), await filesStep(certificate, files, outside), await scopeStep(certificate, files)];
    present(steps, certificate.statement.predicate);
  };

  let last;
  const start = async (read) => {
    last = read;
    find('outcome').replaceChildren(make('p', {}, 'Reading …'));
    try {
      await check(await read());
    } catch (error) {
      present([{ name: 'Bundle', detail: 'not readable', problems: [error.message] }]);
    }
  };
  const again = () => { if (last !== undefined) start(last); };
  if (globalThis.crypto?.subtle === undefined) {
    find('outcome').replaceChildren(make('p', {}, 'This browser gives no WebCrypto to this address: open the page from a file, or by https.'));
    return;
  }
  find('folder').addEventListener('change', ({ target }) => start(() => ofFolder([...target.files])));
  find('archive').addEventListener('change', ({ target }) => target.files[0] && start(() => ofArchive(target.files[0])));
  find('key').addEventListener('change', again);
  addEventListener('dragover', (event) => event.preventDefault());
  addEventListener('drop', (event) => {
    event.preventDefault();
    // Both must be asked for before the event is over.
    const items = [...event.dataTransfer.items].filter(({ kind }) => kind === 'file');
    const dropped = items.map((item) => item.getAsFileSystemHandle ? item.getAsFileSystemHandle().then(ofHandle) : ofEntry(item.webkitGetAsEntry()));
    const [file] = event.dataTransfer.files;
    if (file !== undefined) start(async () => {
      const nodes = await Promise.all(dropped);
      return nodes.length === 1 && nodes[0].isFile ? ofArchive(file) : ofDropped(nodes);
    });
  });
  find('form').hidden = false;
  find('outcome').replaceChildren();
})();
`;
