import { groupBy } from '../spec/group-by.ts';
import { markdownText } from '../reporters/escape.ts';
import { table } from '../reporters/document/markdown.ts';
import type { FreshRow } from './fresh.ts';
import { type Share, shareOf, freedomsEach, type Measured, oneOf } from './measured.ts';

const percent = (share: number): string => `${Math.round(share * 100)} %`;
const intervalOf = ({ low, high }: Share): string => `${percent(low)} to ${percent(high)}`;

const caughtOf = (rows: readonly FreshRow[]): Share =>
  shareOf(rows.filter(({ caught }) => caught).length, rows.length);

/** Recall for each value of a dimension, the lowest first. */
function recallBy(name: string, rows: readonly FreshRow[], keyOf: (row: FreshRow) => string): string {
  const groups = [...groupBy(rows, keyOf)].map(([key, list]) => [key, caughtOf(list)] as const);
  const ordered = groups.sort(([, a], [, b]) => a.seen / a.of - b.seen / b.of || b.of - a.of);
  return table(
    [name, 'caught', 'of', 'recall', '95 % interval'],
    ordered.map(([key, share]) => [
      `\`${key}\``,
      String(share.seen),
      String(share.of),
      percent(share.seen / share.of),
      intervalOf(share),
    ]),
  );
}

/** The share caught at each share of broken replies, effect by effect. */
function powerTable({ power }: Measured): string {
  const cell = (rows: Measured['power'], k: number): string => {
    const here = rows.filter(({ share }) => share === k);
    return `${here.filter(({ caught }) => caught).length} of ${here.length}`;
  };
  const effects = [...groupBy(power, ({ effect }) => effect)];
  return table(
    ['effect', ...oneOf.map((k) => (k === 1 ? 'every reply' : `1 of ${k}`))],
    [...effects, ['all', power] as const].map(([effect, rows]) => [
      markdownText(effect),
      ...oneOf.map((k) => cell(rows, k)),
    ]),
  );
}

export function measuredFigures({ seed, faulty, conformant }: Measured): readonly string[] {
  const recall = caughtOf(faulty);
  const caught = faulty.filter((row) => row.caught);
  const exact = caught.filter(({ collateral }) => collateral.length === 0).length;
  const elsewhere = faulty.filter(({ blamedOther }) => blamedOther).length;
  const missed = faulty.filter((row) => !row.caught);
  const metBy = (fewest: number, most: number): number =>
    missed.filter(({ met }) => met >= fewest && met <= most).length;
  const failed = shareOf(conformant.filter(({ blamed }) => blamed.length > 0).length, conformant.length);
  const open = conformant.filter(
    ({ blamed, verdict }) => blamed.length === 0 && verdict !== 'conformant',
  ).length;
  return [
    `recall: ${recall.seen} of ${recall.of} drawn gateways caught, ${percent(recall.seen / Math.max(1, recall.of))} (95 % interval ${intervalOf(recall)})`,
    `${exact} of the ${caught.length} caught are blamed on nothing that they do not break`,
    `${elsewhere} further ones fail for something else than they break`,
    `of the ${missed.length} missed, ${metBy(0, 0)} are met by no request of a run, ${metBy(1, 2)} by one or two, ${metBy(3, Number.POSITIVE_INFINITY)} by more`,
    `${failed.seen} of ${failed.of} conformant gateways with ${freedomsEach} freedoms each failed (95 % interval ${intervalOf(failed)}); ${open} are not decided`,
    `seed ${seed}: \`npm run detection -- --only-fresh --seed ${seed} --fresh ${faulty.length}\` draws the same`,
  ];
}

const missedTable = (rows: readonly FreshRow[]): string =>
  table(
    ['gateway', 'what it does', 'requests that meet it', 'what the run says'],
    rows
      .filter(({ caught }) => !caught)
      .map(({ id, title, blamedOther, endless, collateral, met }) => [
        `\`${id}\``,
        markdownText(title),
        String(met),
        endless
          ? 'no end within five minutes'
          : blamedOther
            ? `fails ${collateral.map((each) => `\`${each}\``).join(', ')}`
            : 'nothing failed',
      ]),
  );

const openTable = ({ conformant }: Measured): string =>
  table(
    ['gateway', 'verdict', 'requirements'],
    conformant
      .filter(({ verdict }) => verdict !== 'conformant')
      .map(({ id, verdict, blamed, open }) => [
        markdownText(id),
        verdict,
        [...blamed, ...open].map((each) => `\`${each}\``).join(', '),
      ]),
  );

export function renderMeasured(measured: Measured): string {
  const { faulty } = measured;
  return [
    '# Detection, measured',
    '',
    'How many faulty gateways this suite catches that nobody tuned it to, and how many conformant ones it fails. Written by',
    '`npm run detection`. Each faulty gateway is one *effect* at one place, in the requests that meet one *condition*: both',
    'are rows of the tables in `fixtures/faults`, drawn at random, each row as likely as the others. Those that no client',
    'would ever meet, and those that break nothing, are not among them. Caught means that the run ends with exit code 1 and',
    'that a requirement fails which the gateway breaks. The conformant ones use freedoms that were drawn in the same way.',
    '',
    'The list of known faults and variants is [regression](detection-regression.md): the suite was made until it held, and it',
    'says nothing about faults that are not in it.',
    '',
    ...measuredFigures(measured).map((line) => `- ${line}`),
    '',
    '## Recall by kind of condition',
    '',
    recallBy('condition looks at', faulty, ({ dimension }) => dimension),
    '',
    '## Recall by condition',
    '',
    recallBy('condition', faulty, ({ condition }) => condition),
    '',
    '## Recall by area of effects',
    '',
    recallBy('area', faulty, ({ area }) => area),
    '',
    '## Recall by effect',
    '',
    recallBy('effect', faulty, ({ effect }) => effect),
    '',
    '## Power',
    '',
    'How many gateways are caught where only some replies are broken, at random. A run asks little, so what comes seldom is',
    'often not met at all.',
    '',
    powerTable(measured),
    '',
    '## Missed',
    '',
    missedTable(faulty),
    '',
    '## Conformant gateways that were failed or not decided',
    '',
    openTable(measured),
    '',
  ].join('\n');
}
